import { dayInMadrid } from '#domain/days.ts'
import type { InvoiceAct } from '#domain/invoice/invoice.ts'
import type { Currency } from '#domain/money/currency.ts'
import { isProblem } from '#domain/problems.ts'
import { Refusal } from '#server/ops/command.ts'
import { invoice } from '#server/ops/invoice.ts'
import { inside, Killed, machine } from './machine.ts'
import { cardsOfMany, type OrderOfMany, totalOfMany } from './many.ts'
import type { Act, ServerNumber } from './plan.ts'
import { PURCHASES } from './purchases.ts'
import { atDesk } from './refunds.ts'
import type { Server } from './server.ts'
import type { World } from './world.ts'

/** What a transfer back was made for: an order and the number of a withdrawal. */
type ForWhich = `${string} ${number}`

/** An order by invoice, as its buyer, the bank and the treasurer know it. Amounts in minor units. */
export interface Invoiced extends OrderOfMany {
  readonly currency: Currency
  key: string
  /** What the bank's statement has of it: what arrived, and what was sent back because it could pay nothing. */
  arrived: number
  returned: number
  /** What was transferred back for each withdrawal. */
  readonly back: Map<ForWhich, number>
  /** Withdrawals of which the treasurer was told that they are written down. */
  readonly noted: Set<ForWhich>
  /** What the operator gave back of single cards, by their places; undefined where the answer never came. */
  readonly byHand: Map<number, number | undefined>
  /** What the treasurer was told of it. */
  readonly told: Set<'paid' | 'cancelled'>
  /** Has anybody asked to cancel it, or to forget its buyer, whatever came of that? */
  isCalledOff: boolean
}

/** The acts of orders by invoice. */
export type InvoiceActs = Extract<
  Act,
  {
    does: 'order' | 'transfer' | 'say-paid' | 'cancel' | 'say-back' | 'look-at-bank' | 'refund-one'
  }
>

/** The treasurer stands at the Studio of a server, or at the terminal. */
type Desk = ServerNumber | 'terminal'

type Parts = Pick<World, 'eye' | 'tool' | 'invoiced'> & {
  readonly find: (rule: string, says: string) => void
  readonly count: (name: string) => void
  readonly alive: (number: ServerNumber) => Server | undefined
}

/** Plays what buyers by invoice, their recipients, the bank and the treasurer do. */
export function createInvoicePlay({ eye, tool, invoiced, find, count, alive }: Parts) {
  let presses = 0
  /** Presses that were never answered, by what they ask for: the browser sends them again. */
  const unanswered = new Map<string, string>()

  /** Its order, also where its buyer was never told: the mail has it. */
  async function orderOf(buyer: number): Promise<Invoiced | undefined> {
    const mine = invoiced.get(buyer)
    if (mine?.orderId !== '') return mine
    const row = await eye.read(db =>
      db.selectFrom('invoices').select('order_id').where('email', '=', mine.email).executeTakeFirst(),
    )
    if (!row) return undefined
    mine.orderId = row.order_id
    return mine
  }

  /** What the product answered an act: `done`, or why not. @throws Killed, and whatever is no answer */
  async function act(asked: InvoiceAct, desk: Desk): Promise<string> {
    if (desk === 'terminal') return atTerminal(asked)
    const its = alive(desk)
    if (!its) return 'nobody there'
    const name = `${desk} ${JSON.stringify(asked)}`
    const key = unanswered.get(name) ?? `press ${++presses}`
    try {
      const { isRepeated } = await inside(its.life, () => its.invoiceDesk.act(asked, { key, person: null }))
      unanswered.delete(name)
      return isRepeated ? 'done before' : 'done'
    } catch (error) {
      if (error instanceof Killed) unanswered.set(name, key)
      else unanswered.delete(name)
      if (!isProblem(error) || error.code !== 'act-refused') throw error
      return error.details.fields?.[0]?.rule ?? error.code
    }
  }

  async function atTerminal(asked: InvoiceAct): Promise<string> {
    try {
      if (asked.act === 'paid')
        await tool(invoice, 'paid', asked.order, '--amount', decimal(asked.amount), '--on', asked.paidOn)
      else if (asked.act === 'cancel') await tool(invoice, 'cancel', asked.order)
      else if (asked.act === 'address') await tool(invoice, 'address', asked.order, asked.email)
      else await tool(invoice, 'refunded', asked.order, '--withdrawal', String(asked.withdrawal))
      return 'done'
    } catch (error) {
      if (error instanceof Refusal) return error.message
      throw error
    }
  }

  /** Says what the bank's statement has of an order. */
  async function sayPaid(mine: Invoiced, desk: Desk): Promise<string> {
    if (mine.arrived === 0) return 'nothing arrived'
    const asked = {
      act: 'paid',
      order: mine.orderId,
      amount: mine.arrived,
      paidOn: dayInMadrid(machine.now),
    } as const
    const answer = await act(asked, desk)
    if (answer.startsWith('done')) {
      mine.told.add('paid')
      if (mine.arrived !== totalOfMany(mine))
        find('paid-by-another-amount', `${mine.orderId}: ${mine.arrived} of ${totalOfMany(mine)}`)
      count('invoices paid')
    }
    return answer
  }

  async function cancel(mine: Invoiced, desk: Desk): Promise<string> {
    mine.isCalledOff = true
    const answer = await act({ act: 'cancel', order: mine.orderId }, desk)
    if (answer.startsWith('done')) {
      mine.told.add('cancelled')
      count('invoices cancelled')
    }
    return answer
  }

  /** Transfers back what the list says that withdrawals from an order wait for, once each, and says so. */
  async function sayBack(mine: Invoiced, desk: Desk): Promise<string> {
    const its = desk === 'terminal' ? undefined : alive(desk)
    if (desk !== 'terminal' && !its) return 'nobody there'
    // Somebody else may be at it meanwhile: what was noted before the list was asked for is not in it.
    const noted = new Set(mine.noted)
    const listed = its
      ? await inside(its.life, () => its.invoiceDesk.list())
      : (
          (await tool(invoice, 'list')).data as {
            invoices: Awaited<ReturnType<Server['invoiceDesk']['list']>>
          }
        ).invoices
    const answers: string[] = []
    for (const { withdrawal, amount } of listed.find(({ orderId }) => orderId === mine.orderId)?.due ?? []) {
      const which: ForWhich = `${mine.orderId} ${withdrawal}`
      const before = mine.back.get(which)
      if (before !== undefined && before !== amount.amount)
        find('transfer-asked-otherwise', `${which}: ${before}, then ${amount.amount}`)
      if (noted.has(which)) find('transfer-asked-twice', which)
      if (before === undefined) count('transfers back')
      mine.back.set(which, amount.amount)
      const answer = await act({ act: 'refunded', order: mine.orderId, withdrawal }, desk)
      if (answer.startsWith('done')) mine.noted.add(which)
      answers.push(answer)
    }
    return answers.join(', ') || 'nothing due'
  }

  async function refundOne({
    buyer,
    place,
    on,
  }: Extract<InvoiceActs, { does: 'refund-one' }>): Promise<string> {
    const mine = await orderOf(buyer)
    const card = mine && (await cardsOfMany(eye, mine))[place]
    const its = alive(on)
    if (!card || !its) return 'nothing'
    const { ngo, net, tax } = mine.price
    const amount = ngo + net + tax
    const back = await eye.read(db =>
      db.selectFrom('reversals').select('refunded').where('order_id', '=', mine.orderId).executeTakeFirst(),
    )
    const left = totalOfMany(mine) - (back?.refunded ?? 0)
    try {
      const used = card.status === 'consumed'
      const asked = { act: 'refund', card: card.id, amount, left, currency: mine.currency, used } as const
      const answer = await atDesk(its, asked, `give back ${++presses}`)
      if (answer !== 'done') return answer
    } catch (error) {
      if (!mine.byHand.has(place)) mine.byHand.set(place, undefined)
      throw error
    }
    if (mine.byHand.get(place) !== undefined) find('given-back-twice', `card ${place} of ${mine.orderId}`)
    mine.byHand.set(place, amount)
    count('cards of invoices given back by hand')
    return 'given back'
  }

  /** Looks into the file of each card of which no answer came: what stands there is transferred. */
  async function lookAtCards(mine: Invoiced): Promise<void> {
    for (const [place, amount] of mine.byHand) {
      if (amount !== undefined) continue
      const row = await eye.read(db =>
        db
          .selectFrom('bank_refunds')
          .select('amount')
          .where('order_id', '=', mine.orderId)
          .where('withdrawal', 'is', null)
          .where('cards', '=', String(place + 1))
          .executeTakeFirst(),
      )
      if (row) mine.byHand.set(place, row.amount)
      else mine.byHand.delete(place)
    }
  }

  async function order({
    buyer,
    purchase,
    cards,
    on,
  }: Extract<InvoiceActs, { does: 'order' }>): Promise<string> {
    const { net, tax, ...asked } = PURCHASES[purchase]
    const its = alive(on)
    if (!its) return 'nobody there'
    const mine = invoiced.get(buyer) ?? {
      buyer,
      email: `school${buyer}@mail.example`,
      cards,
      price: { ngo: asked.ngoAmount, net, tax },
      currency: asked.currency,
      orderId: '',
      key: '',
      arrived: 0,
      returned: 0,
      back: new Map(),
      noted: new Set(),
      byHand: new Map(),
      told: new Set(),
      withdrawn: new Set(),
      given: new Map(),
      isWithdrawing: false,
      isCalledOff: false,
    }
    if (mine.isWithdrawing) return 'withdrawn from'
    invoiced.set(buyer, mine)
    const { orderId, key } = await inside(its.life, () =>
      its.payments.startInvoice({
        ...asked,
        cards,
        themeId: 'ukraine',
        sender: { kind: 'own', name: `Escola ${buyer}` },
        language: 'es',
        termsVersion: its.terms(),
        fulfilmentConsent: true,
        attemptKey: `attempt ${buyer}`,
        donor: { name: `Escola ${buyer}`, document: 'F08123456' },
        invoice: {
          name: `Escola ${buyer}`,
          document: 'F-08123456',
          address: 'Carrer de Mar 3',
          email: mine.email,
        },
      }),
    )
    if (mine.orderId !== '' && mine.orderId !== orderId)
      find('ordered-twice', `${mine.orderId} and ${orderId}`)
    if (mine.orderId === '') count('orders by invoice')
    Object.assign(mine, { orderId, key })
    return 'ordered'
  }

  return {
    /** Plays one of their acts. @returns what came of it, in a word */
    async perform(asked: InvoiceActs): Promise<string> {
      switch (asked.does) {
        case 'order':
          return order(asked)
        case 'refund-one':
          return refundOne(asked)
        case 'look-at-bank': {
          for (const buyer of invoiced.keys()) await this.lookAtBank(buyer)
          return 'looked'
        }
        case 'transfer': {
          const mine = await orderOf(asked.buyer)
          if (!mine) return 'nothing'
          const left = totalOfMany(mine) - mine.arrived
          mine.arrived += asked.part === 'all' ? left : Math.floor(left / 2)
          return `${mine.arrived} arrived`
        }
        default: {
          const mine = await orderOf(asked.buyer)
          if (!mine) return 'nothing'
          if (asked.does === 'say-paid') return sayPaid(mine, asked.at)
          if (asked.does === 'cancel') return cancel(mine, asked.at)
          return sayBack(mine, asked.at)
        }
      }
    },

    /** The bank's statement, at leisure: what arrived is said, and what can pay nothing is sent back. */
    async lookAtBank(buyer: number): Promise<void> {
      const mine = await orderOf(buyer)
      if (!mine) return
      await lookAtCards(mine)
      if (mine.arrived === 0 || mine.told.has('paid')) return
      const answer = await sayPaid(mine, 'terminal')
      if (answer.startsWith('done')) return
      // Whoever said it before was never told.
      if (/is paid already/.test(answer)) mine.told.add('paid')
      else {
        mine.returned = mine.arrived
        if (mine.arrived === totalOfMany(mine) && !mine.isCalledOff)
          find('payment-refused', `${mine.orderId}: ${answer}`)
      }
    },

    /** What a mail asks for: to transfer money of this order back. */
    async payBack(orderId: string): Promise<void> {
      for (const buyer of invoiced.keys()) {
        const mine = await orderOf(buyer)
        if (mine?.orderId === orderId) await sayBack(mine, 'terminal')
      }
    },

    orderOf,
  }
}

const decimal = (amount: number): string => (amount / 100).toFixed(2)
