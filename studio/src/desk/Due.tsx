import { Button, Card, Flex, Stack, Text } from '@sanity/ui'
import { GuideButton } from '../guides/Guide.tsx'
import { Nothing, Section } from '../operations/parts.tsx'
import { WayButton } from '../operations/WayButton.tsx'
import type { DueAnswer } from '../product.ts'
import { AskedForm } from './AskedForm.tsx'
import { dueWords } from './duties.ts'
import { Said } from './Said.tsx'
import { useOpenForm } from './use-open-form.ts'

/**
 * What the operator has to do now, first what is late: each with the way to do it.
 * @param lookAgain reads the figures again
 */
export function DueDuties({ due: read, lookAgain }: { due: DueAnswer; lookAgain: () => void }) {
  const { open, said, changes, close, done, choose } = useOpenForm<string, string>({ read, lookAgain })
  const due = read.filter(({ name }) => !changes.includes(name))
  return (
    <Section title="What is due">
      {due.length === 0 && (
        <Nothing>Nothing is due. A mail comes on the first working day of a month.</Nothing>
      )}
      {due.length > 0 && (
        <Stack as="ul" gap={3} margin={0} padding={0} style={{ listStyle: 'none' }}>
          {due.map(each => {
            const { says, how, way } = dueWords(each)
            return (
              <Card
                as="li"
                key={each.name}
                tone={each.is_late ? 'critical' : 'default'}
                padding={3}
                radius={2}
                border
              >
                <Stack gap={3}>
                  <Text size={1} weight="semibold">
                    {says}
                  </Text>
                  <Text size={1}>{how}</Text>
                  <Flex gap={2} wrap="wrap">
                    {way && <WayButton way={way} about={each.title} />}
                    <GuideButton page={each.guide} about={each.title} />
                    {each.known !== 'data' && (
                      <Button
                        mode="ghost"
                        padding={4}
                        text="Note that it is done"
                        aria-label={`Note that it is done: ${each.title}`}
                        aria-expanded={open === each.name}
                        onClick={() => choose(each.name)}
                      />
                    )}
                  </Flex>
                  {open === each.name && (
                    <AskedForm
                      says="It is kept with today’s day, and cannot be taken back. It comes again in its next month."
                      confirm="It is done"
                      fields={[]}
                      question={() => ({ path: 'did', body: { duty: each.name } })}
                      done={() => done(`Noted: ${each.title}.`, each.name)}
                      close={close}
                    />
                  )}
                </Stack>
              </Card>
            )
          })}
        </Stack>
      )}
      <Said says={said} />
    </Section>
  )
}
