import {
  askForCard,
  type BoughtCard,
  cardApi,
  NGOS,
  openPayment,
  pay,
  readCard,
  selectionOf,
  WrongAnswer,
} from './buy.ts'
import { type Answer, post } from './call.ts'
import type { Product } from './product.ts'

/** What the server has said yes to, and what was on its way when it fell silent. */
export interface Memory {
  /** Purchases whose keys were answered. */
  readonly bought: BoughtCard[]
  /** Redemptions that were answered, with the answer's text. */
  readonly redeemed: (SentRedemption & { readonly answer: string })[]
  /** Sessions that were paid (the payment page said so) and whose card has not been answered. */
  readonly paid: Set<string>
  /** Redemptions that were sent and not answered. */
  readonly sent: SentRedemption[]
}

export interface SentRedemption {
  readonly privateKey: string
  readonly body: object
  /** The browser's key of the press: whoever sends it again is told the receipt key again. */
  readonly attemptKey: string
}

export const redeem = (product: Product, { privateKey, body, attemptKey }: SentRedemption): Promise<Answer> =>
  post(product.url + cardApi(privateKey), body, { 'Idempotency-Key': attemptKey })

export const newMemory = (): Memory => ({ bought: [], redeemed: [], paid: new Set(), sent: [] })

/**
 * Buys and redeems, again and again, until the server is gone; of every second card the gift is kept for later.
 * @throws Error when the server, while it lives, answers anything but a yes
 */
export async function shopUntilItDies(product: Product, memory: Memory, chance: () => number): Promise<void> {
  for (;;) {
    try {
      await shopOnce(product, memory, chance)
    } catch (error) {
      if (error instanceof WrongAnswer) throw error
      return
    }
  }
}

async function shopOnce(product: Product, memory: Memory, chance: () => number): Promise<void> {
  const email = `buyer-${Math.floor(chance() * 1e9)}@example.org`
  const sessionId = await openPayment(product)
  await pay(product, sessionId, { email })
  memory.paid.add(sessionId)
  const card = await collect(product, memory, sessionId)
  if (chance() < 0.5) return
  const first = NGOS[Math.floor(chance() * NGOS.length)]!
  const body = selectionOf({ [first]: 1 + Math.floor(chance() * 49) })
  const request = { privateKey: card.privateKey, body, attemptKey: `giving-${card.cardId}` }
  memory.sent.push(request)
  const answer = await redeem(product, request)
  if (answer.status !== 200) throw new WrongAnswer('redemption', answer)
  memory.sent.splice(memory.sent.indexOf(request), 1)
  memory.redeemed.push({ ...request, answer: answer.text })
}

/** The card of a paid session; from then on the session is answered. */
export async function collect(product: Product, memory: Memory, sessionId: string): Promise<BoughtCard> {
  const card = readCard(await askForCard(product, sessionId), sessionId)
  memory.paid.delete(sessionId)
  memory.bought.push(card)
  return card
}
