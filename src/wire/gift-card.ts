import { z } from 'zod'
import { ANSWER_STATES } from '#domain/answer/answer.ts'
import { readWords } from '#domain/answer/words.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { CAUSES } from '#domain/public-ledger/leaf.ts'
import { rgbText } from '#domain/themes.ts'
import { ANSWER_GIFT_PATH, READ_CARD_PATH, READ_RECEIPT_PATH, REDEEM_CARD_PATH } from './api-paths.ts'
import { defineContract } from './contract.ts'
import { ANONYMOUS_MARKER } from './markers.ts'
import { shownTheme } from './theme.ts'

const money = z.object({ amount: z.int(), currency: z.enum(CURRENCIES) })
const allocation = z.object({ ngoId: z.string(), amount: money, points: z.int() })

/** What an organisation got, in the words of the wire; the amount in minor units. */
const wireAllocation = ({ ngoId, amount, points }: z.output<typeof allocation>) => ({
  ngoSelected: ngoId,
  creditSelected: points,
  amount: amount.amount,
  currency: amount.currency,
})

/** Shows a card to whoever holds one of its keys. `credit` is minor units as text: "5000" is 50. */
export const readCard = defineContract({
  method: 'GET',
  path: READ_CARD_PATH,
  request: z.undefined(),
  response: z
    .object({
      createdAt: z.int(),
      credit: money,
      senderName: z.string().nullable(),
      theme: shownTheme,
      consumed: z.boolean(),
      free: z.boolean(),
      use: z.object({ at: z.int() }).nullable(),
    })
    .transform(card => ({
      giftcard: {
        createdAt: new Date(card.createdAt).toISOString(),
        credit: String(card.credit.amount),
        fromName: card.senderName ?? ANONYMOUS_MARKER,
        theme: card.theme.id,
        currency: card.credit.currency,
        consumed: card.consumed,
        sessionId: '',
        bg: rgbText(card.theme.background),
        text: rgbText(card.theme.text),
        amount: card.credit.amount,
        baseAmount: card.credit.amount,
        designPalette: card.theme.id,
        isCampaign: card.free,
        isUsed: card.consumed,
        usedAt: card.use && new Date(card.use.at).toISOString(),
      },
    })),
})

/** Splits a card among organisations: whole points, one point being one unit of the card's currency. */
export const redeemCard = defineContract({
  method: 'POST',
  path: REDEEM_CARD_PATH,
  fieldWords: { selection: 'selected_ngos', ngoId: 'ngoSelected', points: 'creditSelected' },
  request: z
    .object({
      selected_ngos: z
        .array(
          z
            .object({
              ngoSelected: z.string().min(1).max(100),
              creditSelected: z.int().min(1).max(1_000_000),
            })
            .transform(wire => ({ ngoId: wire.ngoSelected, points: wire.creditSelected })),
        )
        .min(1)
        .max(100),
    })
    .transform(wire => wire.selected_ngos),
  response: z
    .object({ allocations: z.array(allocation).readonly(), receiptKey: z.string().optional() })
    .transform(({ allocations, ...told }) => ({ allocations: allocations.map(wireAllocation), ...told })),
})

/** A place on the way of the money, in words, and the line of the public ledger that tells of it. */
const station = z.object({
  name: z.string(),
  text: z.string(),
  line: z
    .object({
      number: z.int(),
      cause: z.enum(CAUSES),
      /** Opens the line; null for one that many have a part in. */
      nonce: z.string().nullable(),
      amounts: z.array(z.tuple([z.string(), z.int()]).readonly()).readonly(),
    })
    .nullable(),
})
export type Station = z.output<typeof station>

/**
 * Shows what became of a card to whoever holds the receipt key of its use. The key is sent, not written into the
 * address, where logs and histories would keep it.
 */
export const readReceipt = defineContract({
  method: 'POST',
  path: READ_RECEIPT_PATH,
  request: z.object({ receiptKey: z.string().min(1).max(400) }),
  response: z
    .object({
      usedAt: z.int(),
      credit: money,
      allocations: z.array(allocation.extend({ name: z.string() })).readonly(),
      answer: z.enum(ANSWER_STATES),
      stations: z.array(station).readonly(),
    })
    .transform(({ usedAt, credit, allocations, answer, stations }) => ({
      answer,
      stations,
      usedAt: new Date(usedAt).toISOString(),
      credit: String(credit.amount),
      currency: credit.currency,
      allocations: allocations.map(given => ({ ...wireAllocation(given), ngoName: given.name })),
    })),
})

/** The line of an answer; a refused one names the rule that it breaks (`too-long`, `link`, `address`, `telephone`). */
const answerWords = z
  .string()
  .max(4_000)
  .optional()
  .transform((text, context) => {
    const read = readWords(text ?? '')
    if ('words' in read) return read.words
    context.addIssue({ code: 'custom', params: { rule: read.rule } })
    return z.NEVER
  })

/**
 * Has the giver of a used card told by mail. `tell` says that this is wanted: without it nothing is an answer. The key is
 * sent, not written into the address.
 */
export const answerGift = defineContract({
  method: 'POST',
  path: ANSWER_GIFT_PATH,
  request: z
    .object({
      receiptKey: z.string().min(1).max(400),
      tell: z.literal(true),
      where: z.boolean(),
      words: answerWords,
    })
    .transform(({ receiptKey, where, words }) => ({ receiptKey, answer: { saysWhere: where, words } })),
  response: z.object({ told: z.literal(true) }),
})
