import { Stack } from '@sanity/ui'
import type { AudienceAnswer } from '../product.ts'
import { vitalVerdict } from './figures.ts'
import { barsOf, Figures, Nothing, Section, State } from './parts.tsx'
import { answerWords, moment, number, questionWords, share } from './words.ts'

const count = { title: 'Visits', right: true } as const

const LEVELS: Readonly<Record<string, string>> = {
  anonymous: 'Counted without an identifier',
  'pseudo-anonymous': 'Accepted everything',
}

/** What visitors allowed us to count. */
export function Visitors({ audience }: { audience: AudienceAnswer }) {
  return (
    <Section
      title="Visitors"
      says={`Since ${moment(audience.since)}. Who rejected everything is in none of these numbers; polls and claims are counted from the beginning.`}
    >
      <Stack gap={5}>
        <Visits visits={audience.visits} />
        <Funnel funnel={audience.funnel} />
        <Campaigns campaigns={audience.campaigns} />
      </Stack>
    </Section>
  )
}

function Visits({ visits }: Pick<AudienceAnswer, 'visits'>) {
  if (visits.length === 0) return <Nothing>No visit was counted in the last 30 days.</Nothing>
  const barOf = barsOf(visits.map(each => each.visits))
  return (
    <Figures
      caption="Visits, by consent and language"
      columns={[{ title: 'Consent' }, { title: 'Language' }, count]}
      rows={visits.map(each => ({
        key: `${each.level} ${each.language}`,
        cells: [LEVELS[each.level] ?? each.level, each.language, number(each.visits)],
        bar: barOf(each.visits),
      }))}
    />
  )
}

/** A buyer's way, all languages together and one by one. */
function Funnel({ funnel }: Pick<AudienceAnswer, 'funnel'>) {
  if (funnel.length === 0)
    return <Nothing>No screen of a buyer’s way was counted in the last 30 days.</Nothing>
  const languages = [...new Set(funnel.map(({ language }) => language))].sort()
  const screens = [...new Set(funnel.map(({ route }) => route))].map(route => {
    const of = (language: string) =>
      funnel.find(each => each.route === route && each.language === language)?.visits ?? 0
    return { route, of, all: languages.reduce((sum, language) => sum + of(language), 0) }
  })
  const most = Math.max(...screens.map(({ all }) => all))
  return (
    <Figures
      caption="A buyer’s way, screen by screen"
      columns={[
        { title: 'Screen' },
        count,
        { title: 'Of the most', right: true },
        ...languages.map(title => ({ title, right: true as const })),
      ]}
      rows={screens.map(({ route, of, all }) => ({
        key: route,
        cells: [route, number(all), share(all, most), ...languages.map(each => number(of(each)))],
        bar: all / most,
      }))}
    />
  )
}

function Campaigns({ campaigns }: Pick<AudienceAnswer, 'campaigns'>) {
  if (campaigns.length === 0) return <Nothing>No visit came from an advert or a campaign.</Nothing>
  const barOf = barsOf(campaigns.map(({ visits }) => visits))
  return (
    <Figures
      caption="Adverts and campaigns (visits of those who accepted everything)"
      columns={[{ title: 'Code' }, count, { title: 'Claims', right: true }]}
      rows={campaigns.map(each => ({
        key: each.code,
        cells: [each.code, number(each.visits), number(each.claims)],
        bar: barOf(each.visits),
      }))}
    />
  )
}

/** The answers of the polls, question by question. */
export function Polls({ polls }: Pick<AudienceAnswer, 'polls'>) {
  const questions = [...new Set(polls.map(({ poll, question }) => `${poll} ${question}`))]
  return (
    <Section
      title="Polls"
      says="Only answers that at least ten visitors gave alike."
      nothing={polls.length === 0 && 'No answer was given ten times yet.'}
    >
      <Stack gap={5}>
        {questions.map(key => {
          const answers = polls.filter(({ poll, question }) => `${poll} ${question}` === key)
          const [first] = answers
          if (!first) return null
          const barOf = barsOf(answers.map(each => each.answers))
          return (
            <Figures
              key={key}
              caption={questionWords(first.poll, first.question)}
              columns={[{ title: 'Answer' }, { title: 'Answers', right: true }]}
              rows={answers
                .toSorted((a, b) => b.answers - a.answers)
                .map(each => ({
                  key: each.value,
                  cells: [answerWords(each.question, each.value), number(each.answers)],
                  bar: barOf(each.answers),
                }))}
            />
          )
        })}
      </Stack>
    </Section>
  )
}

const TONES = { good: 'positive', fair: 'caution', poor: 'critical' } as const

/** How fast the pages are for those who accepted to be measured. */
export function Vitals({ vitals }: Pick<AudienceAnswer, 'vitals'>) {
  return (
    <Section
      title="Speed for visitors"
      says="Web Vitals: three quarters of the visits were at least this fast. Milliseconds; CLS is a score."
      nothing={vitals.length === 0 && 'Nothing was measured in the last 30 days.'}
    >
      <Figures
        caption="Web Vitals by page"
        columns={[
          { title: 'Page' },
          { title: 'Measure' },
          { title: 'Value', right: true },
          { title: 'Verdict' },
          { title: 'Samples', right: true },
        ]}
        rows={vitals.map(({ route, name, p75, samples }) => {
          const verdict = vitalVerdict(name, p75)
          return {
            key: `${route} ${name}`,
            cells: [
              route,
              name,
              number(p75),
              verdict ? (
                <State key="verdict" tone={TONES[verdict]}>
                  {verdict}
                </State>
              ) : (
                '–'
              ),
              number(samples),
            ],
          }
        })}
      />
    </Section>
  )
}
