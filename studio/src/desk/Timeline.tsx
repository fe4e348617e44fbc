import { Badge, Button, Card, Flex, Heading, Spinner, Stack, Text } from '@sanity/ui'
import { useEffect, useRef, useState } from 'react'
import { amount, moment } from '../operations/words.ts'
import type { CardFileAnswer } from '../product.ts'
import { Acts } from './Acts.tsx'
import { DealtWith } from './DealtWith.tsx'
import { LookAgain } from './look-again.ts'
import { TroubleNotice } from './Notice.tsx'
import type { Asking } from './use-site.ts'

/** Everything that happened to a card, oldest first, once it is read. */
export function Timeline({
  opening: { asked, isWaiting },
  retry,
  lookAgain,
  close,
  done,
}: {
  opening: Asking<CardFileAnswer>
  retry: () => void
  /** Reads the card and the figures again. */
  lookAgain: () => void
  close: () => void
  done: (says: string) => void
}) {
  if (isWaiting || asked === undefined)
    return (
      <Flex role="status" align="center" gap={3} padding={4}>
        <Spinner muted />
        <Text size={1} muted>
          Reading what happened…
        </Text>
      </Flex>
    )
  if (asked.kind !== 'answer') return <TroubleNotice trouble={asked} retry={retry} />
  return (
    <LookAgain value={lookAgain}>
      <OpenCard card={asked.answer} close={close} done={done} />
    </LookAgain>
  )
}

const KINDS = { donation: 'Card', free: 'Free card', volunteering: 'Invitation' } as const
const HELD = {
  dispute: 'Its payment is disputed: answer in the payment account. Nobody can use it until then.',
  operator: 'An operator holds it: nobody can use it until it is released.',
  refund: 'A refund is under way: nobody can use it meanwhile.',
  withdrawal: 'Its buyer has withdrawn: nobody can use it, and what was paid goes back.',
  draw: 'Its recipient left it to the draw: the next draw takes it, or has taken it.',
} as const

function OpenCard({
  card,
  close,
  done,
}: {
  card: CardFileAnswer
  close: () => void
  done: (says: string) => void
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The reader is taken to what was opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each card
  useEffect(() => heading.current?.focus(), [card.id])
  const facts = [
    card.credit !== undefined && card.currency !== undefined && amount(card.credit, card.currency),
    `in ${card.language}`,
    card.address === null ? 'its buyer is forgotten' : `its mails go to ${card.address}`,
    card.auto_donate_at !== null &&
      (card.status === 'active' || card.status === 'frozen') &&
      `its term ends on ${moment(card.auto_donate_at)}`,
  ].filter(Boolean)
  return (
    <Card border padding={4} radius={3}>
      <Stack gap={4}>
        <Flex align="center" justify="space-between" gap={3} wrap="wrap">
          <Flex align="center" gap={3} wrap="wrap">
            <Heading as="h3" size={1} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
              {KINDS[card.kind]} {card.id}
            </Heading>
            <Badge fontSize={1}>{card.status}</Badge>
          </Flex>
          <Button mode="ghost" padding={4} text="Close" onClick={close} />
        </Flex>
        <Text size={1}>{facts.join(', ')}.</Text>
        {card.holds.map(reason => (
          <Card key={reason} tone="caution" border padding={3} radius={2}>
            <Text size={1}>{HELD[reason]}</Text>
          </Card>
        ))}
        <Flex gap={2} wrap="wrap">
          <Copy text={card.id} name="card" />
          {card.order_id !== null && <Copy text={card.order_id} name="order" />}
        </Flex>
        <Acts card={card} done={done} />
        <Stack as="ol" aria-label="Timeline" gap={2} margin={0} padding={0} style={{ listStyle: 'none' }}>
          {card.history.map((event, n) => (
            // Events have no name of their own, and their order does not change.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Card as="li" key={n} borderTop padding={2} paddingY={3}>
              <Stack gap={3}>
                <Text size={1} muted>
                  <time dateTime={new Date(event.at).toISOString()}>{moment(event.at)}</time>
                </Text>
                <Flex gap={3} justify="space-between" wrap="wrap">
                  <Text size={1} weight="semibold">
                    {event.what}
                  </Text>
                  {event.amount && (
                    <Text size={1} style={{ fontVariantNumeric: 'tabular-nums' }}>
                      {amount(event.amount.amount, event.amount.currency)}
                    </Text>
                  )}
                </Flex>
                {event.details !== '' && (
                  <Text size={1} style={{ overflowWrap: 'anywhere' }}>
                    {event.details}
                  </Text>
                )}
                {event.ids.length > 0 && (
                  <Flex gap={2} wrap="wrap">
                    {event.ids.map(each => (
                      <Copy key={each} text={each} name={each} />
                    ))}
                  </Flex>
                )}
                {event.mail !== null && <DealtWith mail={event.mail} about={event.details} done={done} />}
              </Stack>
            </Card>
          ))}
        </Stack>
      </Stack>
    </Card>
  )
}

/** A button that copies an id, and says whether it did. */
function Copy({ text, name }: { text: string; name: string }) {
  const [state, setState] = useState<'copied' | 'kept'>()
  const copy = () => {
    void Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => setState('copied'),
        () => setState('kept'),
      )
  }
  const words = state === 'copied' ? `Copied ${name}` : state === 'kept' ? text : `Copy ${name}`
  return <Button mode="bleed" padding={3} fontSize={1} text={words} onClick={copy} />
}
