import { Button, Card, Flex, Stack, Text, TextInput } from '@sanity/ui'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { amount } from '../operations/words.ts'
import type { ActAnswer, ActRequest, CardFileAnswer } from '../product.ts'
import { type Offer, offersFor, readAmount } from './acts.ts'
import { TroubleNotice } from './Notice.tsx'
import { useSite } from './use-site.ts'

/** What can be done about a card. Each act says what it does, and asks once more. */
export function Acts({ card, done }: { card: CardFileAnswer; done: (says: string) => void }) {
  const [offer, setOffer] = useState<Offer>()
  return (
    <Stack gap={3}>
      <Flex gap={2} wrap="wrap">
        {offersFor(card).map(each => (
          <Button
            key={each.act}
            mode="ghost"
            padding={4}
            text={each.button}
            aria-expanded={offer?.act === each.act}
            onClick={() => setOffer(offer?.act === each.act ? undefined : each)}
          />
        ))}
      </Flex>
      {offer && (
        <Asked
          key={offer.act}
          card={card}
          offer={offer}
          close={() => setOffer(undefined)}
          done={says => {
            setOffer(undefined)
            done(says)
          }}
        />
      )}
    </Stack>
  )
}

type Typed = Readonly<Record<Offer['fields'][number], string>>

function Asked({
  card,
  offer,
  close,
  done,
}: {
  card: CardFileAnswer
  offer: Offer
  close: () => void
  done: (says: string) => void
}) {
  const [typed, setTyped] = useState<Typed>({ email: '', amount: '', token: '' })
  const [isSecond, setSecond] = useState(false)
  // One press, however often it is sent: what was typed anew is another one.
  const [attemptKey, setAttemptKey] = useState(() => crypto.randomUUID())
  const acting = useSite<ActAnswer>()
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const isDone = acting.asked?.kind === 'answer'
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is done
  useEffect(() => {
    if (isDone) done(`Done: ${offer.button.toLowerCase()}.`)
  }, [isDone])
  const sum = readAmount(typed.amount)
  const left = card.refundable?.left ?? 0
  const currency = card.refundable?.currency ?? ''
  const isAmountRight = sum !== undefined && sum > 0 && sum <= left
  const isReady = offer.fields.every(field => (field === 'amount' ? isAmountRight : typed[field] !== ''))
  const needsSecond = offer.act === 'refund' && !isSecond
  const send = () =>
    acting.put({ path: 'act', attemptKey, body: requestOf(offer, card, { ...typed, sum: sum ?? 0 }) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || acting.isWaiting) return
    if (needsSecond) setSecond(true)
    else send()
  }
  const write = (field: keyof Typed, text: string) => {
    setTyped({ ...typed, [field]: text })
    setSecond(false)
    setAttemptKey(crypto.randomUUID())
    acting.forget()
  }
  const labels = {
    email: 'The right e-mail address',
    amount: `The amount, up to ${amount(left, currency)}`,
    token: 'Your token, once more',
  } as const
  return (
    <Card border padding={4} radius={3}>
      <form ref={form} onSubmit={submit}>
        <Stack gap={4}>
          <Text size={1}>{offer.says}</Text>
          {offer.fields.map(field => (
            <Stack key={field} gap={3}>
              <Text as="label" size={1} weight="semibold" htmlFor={`${id}${field}`}>
                {labels[field]}
              </Text>
              <TextInput
                id={`${id}${field}`}
                padding={4}
                autoComplete="off"
                spellCheck={false}
                {...(field === 'token' && { type: 'password' as const })}
                {...(field === 'amount' && { inputMode: 'decimal' as const })}
                value={typed[field]}
                onChange={event => write(field, event.currentTarget.value)}
              />
            </Stack>
          ))}
          {isSecond && sum !== undefined && (
            <Text size={1} weight="semibold" role="status">
              {`${amount(sum, currency)} go back to the buyer${sum === left ? ', and the card can be used no more' : ''}. Nobody can undo it.`}
            </Text>
          )}
          {acting.asked && acting.asked.kind !== 'answer' && (
            <TroubleNotice
              trouble={acting.asked}
              retry={acting.asked.kind === 'no-answer' ? send : undefined}
            />
          )}
          <Flex gap={2} wrap="wrap">
            <Button
              type="submit"
              mode="ghost"
              tone={isSecond ? 'critical' : 'default'}
              padding={4}
              disabled={!isReady || acting.isWaiting}
              text={
                acting.isWaiting
                  ? 'Asking the site…'
                  : isSecond && sum !== undefined
                    ? `Give back ${amount(sum, currency)}`
                    : offer.confirm
              }
            />
            <Button type="button" mode="ghost" padding={4} text="Cancel" onClick={close} />
          </Flex>
        </Stack>
      </form>
    </Card>
  )
}

function requestOf(
  { act }: Offer,
  { id: card, refundable }: CardFileAnswer,
  { email, token, sum }: Typed & { sum: number },
): ActRequest {
  switch (act) {
    case 'address':
      return { act, card, email, token }
    case 'links':
      return { act, card, token }
    case 'refund': {
      const { left, currency } = refundable ?? { left: 0, currency: '' }
      return { act, card, token, amount: sum, currency: currency as 'EUR', left }
    }
    default:
      return { act, card }
  }
}
