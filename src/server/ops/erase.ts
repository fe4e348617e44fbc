import { type ClaimAddress, readClaimAddress } from '#domain/campaign/claim-address.ts'
import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { DONORS_KEPT_YEARS } from '#domain/donor/identity.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { counted } from '#domain/text/counted.ts'
import { clearPersons } from '#server/modules/gifts/cards/forget.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { LOST_LINKS } from '#server/modules/gifts/cards/lost-links.ts'
import { forgetRecipient } from '#server/modules/gifts/sendings/stops.ts'
import { digestOfRecipient } from '#server/modules/gifts/sendings/stored.ts'
import { STORED_CARDS } from '#server/modules/gifts/stored-cards.ts'
import { digestOfMailbox } from '#server/modules/letters/newsletter/newsletter.ts'
import { forgetContact } from '#server/modules/partners/partner-acts.ts'
import { forgetInvoicesOf, invoicesOf } from '#server/modules/payments/invoices/forget.ts'
import { INVOICE_MAIL } from '#server/modules/payments/invoices/stored.ts'
import { WITHDRAWAL_LINKS } from '#server/modules/payments/withdrawals/state.ts'
import { forgetPayees } from '#server/modules/payouts/payee-accounts.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { isOneOf } from '#server/platform/db/same-address.ts'
import { oneWord, readArguments } from './arguments.ts'
import { keysHere, refuseWrongSecret } from './card-secret.ts'
import { type Command, Refusal, type Report, type Tools } from './command.ts'
import { noteErasure } from './erasures.ts'

/** `erase <e-mail>`: forgets a person. The cards work on, and the books keep their numbers. */
export const erase: Command = {
  name: 'erase',
  usage: '<e-mail> --yes',
  summary: 'forgets a person: addresses and names go, cards and books stay',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['yes'] })
    const typed = oneWord(words, 'one e-mail address')
    if (!isMailAddress(typed)) throw new Refusal('That is not an e-mail address.')
    return erasePerson(tools, typed, { isSaid: has('yes'), isListed: false })
  },
}

interface Erasing {
  /** Otherwise it is only looked for what there is. */
  readonly isSaid: boolean
  /** Does a list name the person already? */
  readonly isListed: boolean
}

/** Forgets a person, or says what would be forgotten. @throws Refusal without the right secret */
export async function erasePerson(
  tools: Tools,
  typed: string,
  { isSaid, isListed }: Erasing,
): Promise<Report> {
  const read = readClaimAddress(typed)
  // With letters before the @ that free cards, the newsletter and gifts by mail do not take, it stands in none of them.
  const mailbox = typeof read === 'string' ? undefined : read
  // The address may be kept as the payment gave it, or as a form has normalised it.
  const spellings = mailbox === undefined ? [typed] : [typed, mailbox.address]
  const db = await tools.database()
  // Digests of addresses are made with the secret. With a wrong secret a subscription would be overlooked.
  await refuseWrongSecret(tools)
  const { keys } = await keysHere(tools)
  if (keys === undefined)
    throw new Refusal('CARD_KEY_SECRET is not set here: without it not everything of a person can be found.')
  const unlisted = isSaid && !isListed ? await noteErasure(tools, keys, typed) : []
  const askedBy = spellings.flatMap(each => keys.pseudonyms(each.toLowerCase()))
  const data = await db.transaction(async trx => {
    let cards = 0
    let withdrawals = await withdrawalsOf(trx, spellings, askedBy)
    let identities = 0
    let certificates = 0
    for (const kind of ALL_GIFT_KINDS) {
      const bought = await trx
        .selectFrom(STORED_CARDS[kind].table)
        .select(['id', 'order_id'])
        .where(isOneOf('email', spellings))
        .execute()
      cards += bought.length
      const kept = await donorsOf(trx, bought)
      identities += kept.donors
      certificates += kept.certificates
      withdrawals = withdrawals.union(await withdrawalsOfOrders(trx, bought))
      if (isSaid) await clearPersons(trx, kind, bought)
    }
    const { received, subscriptions } =
      mailbox === undefined
        ? { received: 0, subscriptions: 0 }
        : await foundByDigest(trx, keys, mailbox, isSaid ? { forgottenAt: tools.clock() } : undefined)
    if (isSaid) {
      // Jobs for lost links and invoices hold a pseudonym of the address, so they are deleted as well.
      await trx
        .deleteFrom('jobs')
        .where('kind', 'in', [LOST_LINKS, WITHDRAWAL_LINKS, INVOICE_MAIL])
        .where('subject', 'in', askedBy)
        .execute()
      await trx.deleteFrom('withdrawal_statements').where('address', 'in', askedBy).execute()
      // This includes the withdrawals of orders without a card.
      await trx
        .updateTable('withdrawals')
        .set({ name: null, email: null })
        .where(isOneOf('email', spellings))
        .execute()
    }
    const invoices = await invoicesOf(trx, spellings)
    const invoiced = invoices.filter(({ state }) => state === 'paid').length
    if (isSaid) await forgetInvoicesOf(trx, keys, spellings, tools.clock())
    const contacts = isSaid
      ? (await forgetPayees(trx, keys, { addresses: spellings })) + (await forgetContact(trx, spellings))
      : await contactsOf(trx, spellings)
    return {
      cards,
      identities,
      certificates,
      invoices: invoices.length,
      invoiced,
      contacts,
      received,
      withdrawals: withdrawals.size,
      subscriptions,
      done: isSaid,
    }
  })
  // The overwritten data is removed from the journal of the embedded database too.
  if (data.done && db.engine === 'sqlite') await db.scrub([])
  const erased = data.cards
  if (!isSaid) {
    const lines = [
      `Bought with this address: ${counted(erased, 'card')}. After --yes, their buyer gets no reminder and no lost links,`,
      `the newsletter loses ${counted(data.subscriptions, 'subscription')}, organisations and partners lose ${counted(data.contacts, 'contact')},`,
      'and nobody can undo it. Say the same with --yes to do it.',
      ...mailed(data),
      ...withdrawn(data),
      ...unpaid(data),
      ...keptByLaw(data),
    ]
    return { lines, data, ok: false }
  }
  const lines = [
    `Forgotten: the address and the names of whoever bought ${counted(erased, 'card')}. What was bought can be used as before.`,
    `The newsletter has forgotten ${counted(data.subscriptions, 'subscription')} of it, and organisations and partners ${counted(data.contacts, 'contact')}.`,
    ...mailed(data),
    ...withdrawn(data),
    ...unpaid(data),
    ...keptByLaw(data),
    'What the payment account and the mail server keep of this person is theirs to erase.',
    ...unlisted,
  ]
  return { lines, data, ok: true }
}

/** What was mailed to this address, or is to be, for its givers. */
const mailed = ({ received, done }: { received: number; done: boolean }): readonly string[] =>
  received === 0
    ? []
    : [
        `Mailed to this address as gifts: ${received}. ${done ? 'Its' : 'After --yes its'} address is gone, and what was not used is its giver’s again.`,
      ]

const withdrawn = ({ withdrawals, done }: { withdrawals: number; done: boolean }): readonly string[] =>
  withdrawals === 0
    ? []
    : [`Withdrawals that ${done ? 'name' : 'would name'} this person no longer: ${withdrawals}.`]

/** Invoices that nobody has paid: they name nobody any more, and cannot be paid. */
const unpaid = ({ invoices, invoiced, done }: { invoices: number; invoiced: number; done: boolean }) =>
  invoices === invoiced
    ? []
    : [`Unpaid invoices that ${done ? 'were' : 'would be'} cancelled and emptied: ${invoices - invoiced}.`]

/** Withdrawals that name this person by the address, confirmed or not, by their orders; those of no order by themselves. */
async function withdrawalsOf(
  db: Reader,
  spellings: readonly string[],
  pseudonyms: readonly string[],
): Promise<ReadonlySet<string>> {
  const confirmed = await db
    .selectFrom('withdrawals')
    .select('order_id')
    .where(isOneOf('email', spellings))
    .execute()
  const stated = await db
    .selectFrom('withdrawal_statements')
    .select(['id', 'order_id'])
    .where('address', 'in', pseudonyms)
    .execute()
  return new Set([
    ...confirmed.map(({ order_id: order }) => order),
    ...stated.map(({ id, order_id: order }) => order ?? id),
  ])
}

/** Those of what was bought that still name somebody, whichever address was stated. */
async function withdrawalsOfOrders(
  db: Reader,
  cards: readonly { readonly order_id: string | null }[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const orders = [...new Set(cards.flatMap(({ order_id: order }) => order ?? []))]
  for (let n = 0; n < orders.length; n += MOST_ASKED) {
    const rows = await db
      .selectFrom('withdrawals')
      .select('order_id')
      .where('order_id', 'in', orders.slice(n, n + MOST_ASKED))
      .where(eb => eb.or([eb('name', 'is not', null), eb('email', 'is not', null)]))
      .execute()
    for (const { order_id: order } of rows) found.add(order)
  }
  return found
}

/** The number of these purchases for which the donor is kept, or the holder of a certificate. */
async function donorsOf(
  trx: Writer,
  cards: readonly { readonly order_id: string | null }[],
): Promise<{ readonly donors: number; readonly certificates: number }> {
  const orders = [...new Set(cards.map(({ order_id }) => order_id).filter(id => id !== null))]
  const countIn = async (table: 'donor_identities' | 'certificates'): Promise<number> => {
    let count = 0
    for (let n = 0; n < orders.length; n += MOST_ASKED) {
      const rows = await trx
        .selectFrom(table)
        .select('order_id')
        .where('order_id', 'in', orders.slice(n, n + MOST_ASKED))
        .execute()
      count += rows.length
    }
    return count
  }
  return { donors: await countIn('donor_identities'), certificates: await countIn('certificates') }
}

const MOST_ASKED = 100

interface Kept {
  readonly identities: number
  readonly certificates: number
  /** Invoices that were paid. */
  readonly invoiced: number
}

const keptByLaw = ({ identities, certificates, invoiced }: Kept): readonly string[] => [
  ...(identities === 0
    ? []
    : [
        `Who gave stays on ${counted(identities, 'order')} for ${DONORS_KEPT_YEARS} years after the payment: the law against money laundering`,
        'asks for it (in Spain, Real Decreto 304/2014). Tell the person. It goes by itself when the time is over.',
      ]),
  ...(certificates === 0
    ? []
    : [
        `Kept for ${DONORS_KEPT_YEARS} years with whom they name: ${counted(certificates, 'certificate')} for the tax office. You have to be able to show`,
        'them. Tell the person.',
      ]),
  ...(invoiced === 0
    ? []
    : [
        `Kept for ${DONORS_KEPT_YEARS} years with whom they name: ${counted(invoiced, 'invoice')} that ${invoiced === 1 ? 'was' : 'were'} paid. Tell the person.`,
      ]),
]

/**
 * Gifts that were mailed to a mailbox, and subscriptions: a digest of it is all that is kept of who has unsubscribed.
 * @param forgetting missing: they are only counted
 */
async function foundByDigest(
  trx: Writer,
  keys: CardKeys,
  mailbox: ClaimAddress,
  forgetting?: { readonly forgottenAt: number },
): Promise<{ readonly received: number; readonly subscriptions: number }> {
  const recipient = digestOfRecipient(keys, mailbox)
  const received = forgetting
    ? await forgetRecipient(trx, keys, recipient, forgetting.forgottenAt)
    : await mailedTo(trx, recipient)
  const digest = digestOfMailbox(keys, mailbox)
  const subscribers = await trx
    .selectFrom('newsletter_subscribers')
    .select('id')
    .where('address_digest', '=', digest)
    .execute()
  if (forgetting)
    await trx.deleteFrom('newsletter_subscribers').where('address_digest', '=', digest).execute()
  return { received, subscriptions: subscribers.length }
}

/** The number of gifts that were mailed to a mailbox, or are to be. */
async function mailedTo(db: Reader, addressDigest: string): Promise<number> {
  const rows = await db
    .selectFrom('sendings')
    .select('card_id')
    .where('address_digest', '=', addressDigest)
    .execute()
  return rows.length
}

/** The number of payee accounts, and of partners, that have this address as their contact. */
async function contactsOf(db: Reader, spellings: readonly string[]): Promise<number> {
  let count = 0
  for (const table of ['payee_accounts', 'partners'] as const) {
    const rows = await db.selectFrom(table).select('id').where(isOneOf('contact', spellings)).execute()
    count += rows.length
  }
  return count
}
