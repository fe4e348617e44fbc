import { RefreshIcon } from '@sanity/icons/Refresh'
import { Box, Button, Card, Container, Flex, Heading, Spinner, Stack, Text } from '@sanity/ui'
import { useState } from 'react'
import { Desk, type Led } from '../desk/Desk.tsx'
import { DueDuties } from '../desk/Due.tsx'
import { Invoices } from '../desk/Invoices.tsx'
import { LogIn } from '../desk/LogIn.tsx'
import { LookAgain } from '../desk/look-again.ts'
import { Partners } from '../desk/Partners.tsx'
import { Payouts } from '../desk/Payouts.tsx'
import { People } from '../desk/People.tsx'
import { Wishes } from '../desk/Wishes.tsx'
import { AtAGlance, MoneyByCurrency, OwedToOrganisations } from './Business.tsx'
import { wanted } from './figures.ts'
import type { Trouble } from './read-figures.ts'
import { useFigures } from './use-figures.ts'
import { Polls, Visitors, Vitals } from './Visitors.tsx'
import { OpenGift } from './WayButton.tsx'
import { DeadLinks, FreeCampaigns, Jobs, NeedsYou } from './Work.tsx'
import { moment } from './words.ts'

/** The operator's desk, and the figures of the site. */
export function Operations() {
  const { figures, trouble, reviewsDue, isReading, lookAgain } = useFigures()
  const [led, lead] = useState<Led>()
  return (
    <OpenGift value={words => lead({ words })}>
      <LookAgain value={lookAgain}>
        <Box as="main" height="fill" overflow="auto">
          <Container width={2} padding={[3, 4, 5]}>
            <Stack gap={[4, 4, 5]}>
              <Flex align="center" justify="space-between" gap={3} wrap="wrap">
                <Stack gap={3}>
                  <Heading as="h1" size={3}>
                    Operations
                  </Heading>
                  <Text size={1} muted role="status">
                    {isReading
                      ? 'Reading the figures…'
                      : figures
                        ? `As of ${moment(figures.summary.at)}`
                        : 'There are no figures to show.'}
                  </Text>
                </Stack>
                {figures && (
                  <Button
                    icon={RefreshIcon}
                    mode="ghost"
                    padding={4}
                    text="Look again"
                    disabled={isReading}
                    onClick={lookAgain}
                  />
                )}
              </Flex>
              {figures && <DueDuties due={figures.due} lookAgain={lookAgain} />}
              <Desk led={led} lookAgain={lookAgain} />
              {trouble && !isReading && (
                <NoFigures trouble={trouble} isOld={figures !== undefined} retry={lookAgain} />
              )}
              {!figures && isReading && (
                <Flex justify="center" padding={6}>
                  <Spinner muted />
                </Flex>
              )}
              {figures && (
                <>
                  <NeedsYou wanted={wanted(figures, reviewsDue)} lookAgain={lookAgain} />
                  <AtAGlance summary={figures.summary} reviewsDue={reviewsDue} />
                  <Payouts {...figures.summary} payouts={figures.payouts} lookAgain={lookAgain} />
                  <Invoices invoices={figures.invoices} people={figures.people} lookAgain={lookAgain} />
                  <People people={figures.people} lookAgain={lookAgain} />
                  <Partners partners={figures.partners} people={figures.people} lookAgain={lookAgain} />
                  <Wishes wishes={figures.wishes} lookAgain={lookAgain} />
                  <OwedToOrganisations {...figures.summary} />
                  <MoneyByCurrency money={figures.summary.money} />
                  <Jobs {...figures.summary} />
                  <DeadLinks {...figures.summary} />
                  <FreeCampaigns campaigns={figures.summary.campaigns} />
                  <Visitors audience={figures.audience} />
                  <Polls polls={figures.audience.polls} />
                  <Vitals vitals={figures.audience.vitals} />
                </>
              )}
            </Stack>
          </Container>
        </Box>
      </LookAgain>
    </OpenGift>
  )
}

const WORDS: Readonly<Record<Trouble, { readonly says: string; readonly remedy: string }>> = {
  'session-over': {
    says: 'The site asks who you are.',
    remedy:
      'You have not signed in yet, or your session of twelve hours is over. You come back here afterwards.',
  },
  elsewhere: {
    says: 'The figures are not at this address.',
    remedy:
      'They are shown by the Studio that the site itself serves: open /studio at the address of your site (SITE_URL).',
  },
  'too-often': {
    says: 'The figures were asked for too often.',
    remedy: 'Wait a few minutes, then try again.',
  },
  unreachable: {
    says: 'The site did not answer.',
    remedy: 'Look whether you are online and the site is running, then try again. Nothing is lost.',
  },
  broken: {
    says: 'The site could not put the figures together.',
    remedy: 'Its log says why. Try again; “npm run ops -- report” shows the same figures in the terminal.',
  },
}

/** Why there are no figures, and the way on. */
function NoFigures({ trouble, isOld, retry }: { trouble: Trouble; isOld: boolean; retry: () => void }) {
  const { says, remedy } = WORDS[trouble]
  return (
    <Card role="alert" tone="caution" border padding={4} radius={3}>
      <Stack gap={4}>
        <Text weight="semibold">{says}</Text>
        <Text size={1}>{isOld ? `${remedy} The figures below are from before.` : remedy}</Text>
        <Flex gap={2}>
          {trouble === 'session-over' ? (
            <LogIn />
          ) : (
            trouble !== 'elsewhere' && <Button tone="primary" padding={4} text="Retry" onClick={retry} />
          )}
        </Flex>
      </Stack>
    </Card>
  )
}
