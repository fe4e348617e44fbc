import { Button, Flex, Stack } from '@sanity/ui'
import { useState } from 'react'
import { amount } from '../operations/words.ts'
import { type ActAnswer, type ActRequest, type CardFileAnswer, readAmount } from '../product.ts'
import { AskedForm, type Field, type LastWord, type Typed } from './AskedForm.tsx'
import { mostToRefund, type Offer, offersFor } from './acts.ts'

type Name = Offer['fields'][number]

/** What can be done about a card. Each act says what it does, and asks once more. */
export function Acts({ card, done }: { card: CardFileAnswer; done: (says: string) => void }) {
  const [offer, setOffer] = useState<Offer>()
  const close = () => setOffer(undefined)
  return (
    <Stack gap={3}>
      <Flex gap={2} wrap="wrap">
        {offersFor(card).map(each => (
          <Button
            key={each.button}
            mode="ghost"
            padding={4}
            text={each.button}
            aria-expanded={offer?.button === each.button}
            onClick={() => setOffer(offer?.button === each.button ? undefined : each)}
          />
        ))}
      </Flex>
      {offer && (
        <AskedForm<Name, ActAnswer>
          key={offer.button}
          says={offer.says}
          confirm={offer.confirm}
          fields={offer.fields.map(name => fieldOf(name, card))}
          needsPasskey={offer.isTreasurers}
          {...(offer.act === 'refund' && { lastWord: typed => lastWordOf(typed, card) })}
          question={typed => ({ path: 'act', body: requestOf(offer, card, typed) })}
          close={close}
          done={() => {
            close()
            done(`Done: ${offer.button.toLowerCase()}.`)
          }}
        />
      )}
    </Stack>
  )
}

function fieldOf(name: Name, card: CardFileAnswer): Field<Name> {
  switch (name) {
    case 'email':
      return { name, label: 'The right e-mail address' }
    case 'amount': {
      const { currency } = card.refundable ?? NOTHING
      return {
        name,
        label: `The amount, up to ${amount(mostToRefund(card), currency)}`,
        inputMode: 'decimal',
      }
    }
  }
}

const NOTHING = { left: 0, currency: 'EUR', used: false } as const

/** What a refund does; undefined where the amount cannot be given back. */
function lastWordOf(typed: Typed<Name>, card: CardFileAnswer): LastWord | undefined {
  const { currency } = card.refundable ?? NOTHING
  const most = mostToRefund(card)
  const sum = readAmount(typed.amount)
  if (sum === undefined || sum <= 0 || sum > most) return undefined
  const whole = sum === most && !card.refundable?.used ? ', and the card can be used no more' : ''
  if (card.refundable?.byTransfer)
    return {
      says: `It was paid by invoice. Transfer ${amount(sum, currency)} at your bank: here it is only written down${whole}. Nobody can undo it.`,
      confirm: `${amount(sum, currency)} was transferred back`,
    }
  return {
    says: `${amount(sum, currency)} go back to the buyer${whole}. Nobody can undo it.`,
    confirm: `Give back ${amount(sum, currency)}`,
  }
}

function requestOf(
  { act, isOfOrder }: Offer,
  { id, order_id: orderId, refundable }: CardFileAnswer,
  typed: Typed<Name>,
): ActRequest {
  const card = isOfOrder && orderId !== null ? orderId : id
  switch (act) {
    case 'address':
      return { act, card, email: typed.email }
    case 'links':
      return { act, card }
    case 'refund': {
      const { left, currency, used } = refundable ?? NOTHING
      return { act, card, amount: readAmount(typed.amount) ?? 0, currency: currency as 'EUR', left, used }
    }
    default:
      return { act, card }
  }
}
