import { Card, Flex, Stack, Text } from '@sanity/ui'
import { useState } from 'react'
import { DealtWith } from '../desk/DealtWith.tsx'
import { Said } from '../desk/Said.tsx'
import type { SummaryAnswer } from '../product.ts'
import { type JobState, jobState, type Wanted } from './figures.ts'
import { Figures, Section, State, type Tone } from './parts.tsx'
import { WayButton } from './WayButton.tsx'
import { type GivenUpMail, toGift } from './ways.ts'
import { age, jobWords, moment, number, resultWords } from './words.ts'

/** What waits for a person, with what to do about it. */
export function NeedsYou({ wanted, lookAgain }: { wanted: readonly Wanted[]; lookAgain: () => void }) {
  const [said, setSaid] = useState('')
  return (
    <Section
      title="What needs you"
      nothing={wanted.length === 0 && said === '' && 'Nothing at present. The site does the rest by itself.'}
    >
      <Stack as="ul" gap={3} margin={0} padding={0} style={{ listStyle: 'none' }}>
        {wanted.map(({ tone, says, remedy, ways = [], mails = [] }) => (
          <Card as="li" key={says} tone={tone} padding={3} radius={2} border>
            <Stack gap={3}>
              <Text size={1} weight="semibold">
                {says}
              </Text>
              <Text size={1}>{remedy}</Text>
              {ways.length > 0 && (
                <Flex gap={2} wrap="wrap">
                  {ways.map(way => (
                    <WayButton key={JSON.stringify(way)} way={way} about={says} />
                  ))}
                </Flex>
              )}
              {mails.map(mail => (
                <GivenUp
                  key={mail.id}
                  mail={mail}
                  done={done => {
                    setSaid(done)
                    lookAgain()
                  }}
                />
              ))}
            </Stack>
          </Card>
        ))}
      </Stack>
      <Said says={said} />
    </Section>
  )
}

/** One mail that was given up. */
function GivenUp({
  mail: { id, card, kind, reason },
  done,
}: {
  mail: GivenUpMail
  done: (says: string) => void
}) {
  const about = card === null ? `${kind}, ${reason}` : `${kind}, ${reason}, of card ${card}`
  return (
    <Card borderTop paddingTop={3}>
      <Stack gap={3}>
        <Text size={1} style={{ overflowWrap: 'anywhere' }}>
          {about}
        </Text>
        {card !== null && (
          <Flex>
            <WayButton way={toGift(card)} about={about} />
          </Flex>
        )}
        <DealtWith mail={id} about={about} done={done} />
      </Stack>
    </Card>
  )
}

const TONES: Readonly<Record<JobState, Tone>> = {
  running: 'default',
  done: 'positive',
  failed: 'critical',
  refused: 'critical',
  'never ran': 'default',
}

/** What the site does by itself. */
export function Jobs({ jobs, at }: Pick<SummaryAnswer, 'jobs' | 'at'>) {
  return (
    <Section
      title="What the site does by itself"
      nothing={jobs.length === 0 && 'No site has run with this database yet.'}
    >
      <Figures
        caption="Jobs"
        columns={[{ title: 'Job' }, { title: 'State' }, { title: 'Last run' }, { title: 'Next run' }]}
        rows={jobs.map(job => {
          const state = jobState(job, at)
          return {
            key: job.name,
            note: resultWords(job.result),
            cells: [
              jobWords(job.name),
              <State key="state" tone={TONES[state]}>
                {state}
              </State>,
              job.started_at === null ? '–' : moment(job.started_at),
              moment(job.next_run_at),
            ],
          }
        })}
      />
    </Section>
  )
}

/** What campaigns have given of what they may give. */
export function FreeCampaigns({ campaigns }: Pick<SummaryAnswer, 'campaigns'>) {
  return (
    <Section
      title="Campaigns with free cards"
      nothing={campaigns.length === 0 && 'There is no campaign with free cards.'}
    >
      <Figures
        caption="Cards given, of each campaign’s stock"
        columns={[
          { title: 'Campaign' },
          { title: 'Running' },
          { title: 'Given', right: true },
          { title: 'Stock', right: true },
        ]}
        rows={campaigns.map(({ tag, active, stock, claimed }) => ({
          key: tag,
          cells: [tag, active ? 'yes' : 'no', number(claimed), number(stock)],
          bar: stock === 0 ? 0 : claimed / stock,
        }))}
      />
    </Section>
  )
}

/** Links of organisations that visitors follow to nothing. */
export function DeadLinks({ dead_links: dead, at }: Pick<SummaryAnswer, 'dead_links' | 'at'>) {
  return (
    <Section
      title="Links of organisations"
      part="dead-links"
      says="A site for the public asks each link once a week. One that fails on three days is named here until it answers."
      nothing={dead.length === 0 && 'No link is known to lead to nothing.'}
    >
      <Figures
        caption="Links that lead to nothing"
        columns={[{ title: 'Organisation' }, { title: 'What was found' }, { title: 'For', right: true }]}
        rows={dead.map(({ link, organisation, reason, since }) => ({
          key: link,
          note: link,
          cells: [organisation, reason, age(since, at)],
        }))}
      />
    </Section>
  )
}
