import { readKey } from '#domain/card/keys.ts'
import { isVisible } from '#domain/card/states.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import { Problem } from '#domain/problems.ts'
import {
  readSendingPlan,
  SENDING_FIELDS,
  type SendingFaults,
  type SendingField,
  type SendingPlan,
} from '#domain/sending/plan.ts'
import { leftAfterPlan, mayPlan, movedBy, SENDING_CHANGES } from '#domain/sending/sending.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { type CardOfKind, cardByIdAndKey, type IdAndKey } from '#server/modules/gifts/cards/by-id-and-key.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Sendings, SendingView } from '#server/modules/gifts/interface.ts'
import { isStopped, stopMailbox } from '#server/modules/gifts/sendings/stops.ts'
import {
  addressColumns,
  addressOf,
  digestOfRecipient,
  lastDayOf,
  mailboxOfLink,
  moveSending,
  type Sending,
  sendingOf,
} from '#server/modules/gifts/sendings/stored.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'

export interface SendingsTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  /** Called when a mail may have been queued. */
  readonly onQueued?: () => void
}

/** Lets givers have their gifts mailed on a day, and whoever gets such mails stop them. */
export function createSendings(tools: SendingsTools): Sendings {
  const { db, keys, clock, onQueued } = tools
  return {
    open: (cardId, key) => open(tools, { cardId, key }),
    plan: (cardId, key, typed) => plan(tools, { cardId, key }, typed),
    stop: (cardId, key) => db.transaction(trx => stop(trx, tools, { cardId, key })),
    async wantsGifts(mailbox, key) {
      const digest = digestOfKey(keys, mailbox, key)
      return db.read(async reader => !(await isStopped(reader, digest)))
    },
    async refuseGifts(mailbox, key) {
      const digest = digestOfKey(keys, mailbox, key)
      await db.transaction(trx => stopMailbox(trx, keys, digest, clock()))
      onQueued?.()
    },
  }
}

/** @throws Problem card-not-found */
function digestOfKey(keys: CardKeys, mailbox: string, key: string): string {
  const digest = mailboxOfLink(mailbox)
  if (!keys.isUnwantedKey(digest, readKey(key) ?? key)) throw new Problem('card-not-found')
  return digest
}

/** A gift that was bought. Free cards have no link to give by mail: nobody has paid for the mail to a stranger. */
async function giftOfKey(db: Reader, keys: CardKeys, asked: IdAndKey): Promise<CardOfKind> {
  const found = await cardByIdAndKey(db, keys, asked, keys.sendingKey)
  if (found.card.order_id === null || !isVisible(found.card.status)) throw new Problem('card-not-found')
  return found
}

async function open({ db, keys }: SendingsTools, asked: IdAndKey): Promise<SendingView> {
  const { kind, card, sending, theme } = await db.read(async reader => {
    const found = await giftOfKey(reader, keys, asked)
    return {
      ...found,
      sending: await sendingOf(reader, found.card.id),
      theme: await themeOf(reader, found.card.theme_id, found.card.created_at),
    }
  })
  const address = sending && addressOf(keys, sending)
  const isUnused = card.status === 'active'
  const isBack = isUnused && sending?.state === 'returned'
  return {
    kind,
    theme,
    state: sending?.state,
    why: sending?.why ?? null,
    lastDay: lastDayOf(card),
    time: sending && { day: sending.day, zone: sending.zone },
    maskedAddress: address === undefined ? null : maskAddress(address),
    sentAt: sending?.sent_at ?? null,
    changesLeft: sending?.changes_left ?? SENDING_CHANGES,
    mayPlan: isUnused && mayPlan(sending && factsOf(sending)),
    privateKey: isBack ? keys.privateKey(card.id, card.key_version) : undefined,
  }
}

const factsOf = ({ state, why, changes_left: changesLeft, sent_at: sentAt }: Sending) => ({
  state,
  why,
  changesLeft,
  sentAt,
})

async function plan(
  { db, keys, clock }: SendingsTools,
  asked: IdAndKey,
  typed: Readonly<Record<SendingField, string>>,
): Promise<void> {
  const now = clock()
  await db.transaction(async trx => {
    const { kind, card } = await lockedGift(trx, keys, asked)
    if (card.status !== 'active') throw new Problem('card-consumed')
    const before = await sendingOf(trx, card.id)
    const address = before?.state === 'planned' ? addressOf(keys, before) : undefined
    const isOpen = mayPlan(before && factsOf(before))
    // Where nothing can be asked for any more, that is what is said, not which field is empty.
    const read = readSendingPlan(typed, now, lastDayOf(card), address !== undefined || !isOpen)
    if ('faults' in read) throw refused(read.faults)
    if (before && isSame(before, address, read)) return
    if (!isOpen) throw new Problem('sending-closed')
    const { to, day, zone } = read
    if (to && (await isStopped(trx, digestOfRecipient(keys, to)))) throw refused({ address: 'unwanted' })
    const asks = { day, zone, why: null, ...(to && addressColumns(keys, card.id, to)), changed_at: now }
    if (before) {
      await moveSending(trx, before, 'plan', { ...asks, changes_left: leftAfterPlan(factsOf(before)) })
      return
    }
    await trx
      .insertInto('sendings')
      .values({
        ...asks,
        card_id: card.id,
        gift: kind,
        state: 'planned',
        changes_left: SENDING_CHANGES,
        sent_at: null,
        created_at: now,
      })
      .execute()
  })
}

/** The gift of a key, with its row locked: what is asked for and what the job does come one after the other. */
async function lockedGift(trx: Writer, keys: CardKeys, asked: IdAndKey): Promise<CardOfKind> {
  const { kind, card } = await giftOfKey(trx, keys, asked)
  await lockCard(trx, kind, card.id)
  // As it is now that nobody else can change it.
  return giftOfKey(trx, keys, asked)
}

/** A press that came twice is one change. @param address where it is planned to go; undefined where it is not */
const isSame = (before: Sending, address: string | undefined, { to, day, zone }: SendingPlan): boolean =>
  address !== undefined && before.day === day && before.zone === zone && (to?.address ?? address) === address

const refused = (faults: SendingFaults): Problem =>
  new Problem('invalid-fields', {
    fields: SENDING_FIELDS.flatMap(path => {
      const rule = faults[path]
      return rule === undefined ? [] : [{ path, rule }]
    }),
  })

async function stop(trx: Writer, { keys, clock }: SendingsTools, asked: IdAndKey): Promise<void> {
  const { card } = await lockedGift(trx, keys, asked)
  const sending = await sendingOf(trx, card.id)
  if (sending?.state === 'stopped') return
  // Once the mail is on its way, it may be there.
  if (sending?.state !== 'planned' || movedBy('stop', sending.state) === undefined)
    throw new Problem('sending-closed')
  await moveSending(trx, sending, 'stop', { why: 'giver', changed_at: clock() })
}
