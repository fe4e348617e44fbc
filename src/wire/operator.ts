import { z } from 'zod'
import { HOLD_REASONS } from '#domain/card/holds.ts'
import { CARD_STATUSES } from '#domain/card/states.ts'
import { DUTY_NAMES } from '#domain/desk/duties.ts'
import { ROLES } from '#domain/desk/roles.ts'
import { LONGEST_SEARCH } from '#domain/desk/search.ts'
import { INVOICE_STANDINGS } from '#domain/invoice/invoice.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { PAYOUT_STATE_NAMES } from '#domain/payout/payout-states.ts'
import { defineContract } from './contract.ts'

/** How the content gets on, for the operator. Times are epoch milliseconds UTC. */
export const readContentState = defineContract({
  method: 'GET',
  path: '/api/operator/content',
  request: z.undefined(),
  response: z
    .object({
      releasedAt: z.number(),
      checkedAt: z.number(),
      isUnpublished: z.boolean(),
      fault: z
        .object({
          kind: z.enum(['broken', 'unreachable']),
          since: z.number(),
          says: z.array(z.string()).readonly(),
        })
        .optional(),
    })
    .transform(({ releasedAt, checkedAt, isUnpublished, fault }) => ({
      /** `current`, or why newer content is not shown. */
      state: fault?.kind ?? (isUnpublished ? 'unpublished' : 'current'),
      released_at: releasedAt,
      checked_at: checkedAt,
      since: fault?.since ?? null,
      says: fault?.says ?? [],
    })),
})

const amount = z.number().int()

/** The figures of the whole business, for the operator. Amounts are minor units, times epoch milliseconds UTC. */
export const readSummary = defineContract({
  method: 'GET',
  path: '/api/operator/summary',
  request: z.undefined(),
  response: z
    .object({
      at: z.number(),
      money: z
        .array(
          z.object({
            currency: z.string(),
            orders: z.number(),
            paid: amount,
            campaign: amount,
            support: amount,
            tax: amount,
            volunteering: amount,
            outstanding: amount,
            allocated: amount,
            beingPaidOut: amount,
            paidOut: amount,
            refunded: amount,
            losses: amount,
          }),
        )
        .readonly(),
      cards: z.record(z.enum(CARD_STATUSES), z.number()),
      expiringSoon: z.number(),
      disputed: z.number(),
      disputedCards: z.array(z.string()).readonly(),
      owed: z
        .array(
          z.object({
            ngoId: z.string(),
            name: z.string(),
            currency: z.string(),
            amount,
            allocations: z.number(),
            oldestAt: z.number(),
          }),
        )
        .readonly(),
      mails: z.object({ waiting: z.number(), failing: z.number(), givenUp: z.number() }),
      givenUp: z
        .array(
          z.object({
            id: z.string(),
            card: z.string().nullable(),
            kind: z.string(),
            reason: z.string(),
          }),
        )
        .readonly(),
      jobs: z
        .array(
          z.object({
            name: z.string(),
            nextRunAt: z.number(),
            leaseUntil: z.number().nullable(),
            startedAt: z.number().nullable(),
            finishedAt: z.number().nullable(),
            outcome: z.string().nullable(),
            result: z.record(z.string(), z.union([z.string(), z.number()])),
          }),
        )
        .readonly(),
      review: z.object({ reviewedAt: z.string(), isDue: z.boolean() }),
      campaigns: z
        .array(z.object({ tag: z.string(), active: z.boolean(), stock: z.number(), claimed: z.number() }))
        .readonly(),
      deadLinks: z
        .array(
          z.object({ link: z.string(), organisation: z.string(), reason: z.string(), since: z.number() }),
        )
        .readonly(),
    })
    .transform(
      ({ expiringSoon, money, owed, mails, givenUp, jobs, review, deadLinks, disputedCards, ...rest }) => ({
        ...rest,
        expiring_soon: expiringSoon,
        /** Cards whose payment is disputed, some at most. */
        disputed_cards: disputedCards,
        money: money.map(({ beingPaidOut, paidOut, ...each }) => ({
          ...each,
          being_paid_out: beingPaidOut,
          paid_out: paidOut,
        })),
        owed: owed.map(({ ngoId, oldestAt, ...each }) => ({ ...each, ngo_id: ngoId, oldest_at: oldestAt })),
        mails: { waiting: mails.waiting, failing: mails.failing, given_up: mails.givenUp },
        /** Mails that were given up and that nobody has dealt with, some at most; `card` is null where it is about none. */
        given_up: givenUp,
        jobs: jobs.map(({ nextRunAt, leaseUntil, startedAt, finishedAt, ...each }) => ({
          ...each,
          next_run_at: nextRunAt,
          /** Somebody is at it until then; null when nobody is. */
          lease_until: leaseUntil,
          started_at: startedAt,
          finished_at: finishedAt,
        })),
        review: { reviewed_at: review.reviewedAt, is_due: review.isDue },
        /** Links of organisations that have failed on several days, the longest ago first. */
        dead_links: deadLinks,
      }),
    ),
})

/** What visitors allowed us to count, for the operator: numbers of groups. `since` is epoch milliseconds UTC. */
export const readAudience = defineContract({
  method: 'GET',
  path: '/api/operator/audience',
  request: z.undefined(),
  response: z.object({
    since: z.number(),
    visits: z.array(z.object({ level: z.string(), language: z.string(), visits: z.number() })).readonly(),
    funnel: z.array(z.object({ route: z.string(), language: z.string(), visits: z.number() })).readonly(),
    campaigns: z.array(z.object({ code: z.string(), visits: z.number(), claims: z.number() })).readonly(),
    polls: z
      .array(z.object({ poll: z.string(), question: z.string(), value: z.string(), answers: z.number() }))
      .readonly(),
    vitals: z
      .array(z.object({ route: z.string(), name: z.string(), p75: z.number(), samples: z.number() }))
      .readonly(),
  }),
})

/** Finds gifts by what an operator typed. Amounts are minor units, times epoch milliseconds UTC. */
export const findGifts = defineContract({
  method: 'POST',
  path: '/api/operator/find',
  request: z.object({ words: z.string().max(LONGEST_SEARCH) }),
  response: z
    .object({
      search: z.object({
        kind: z.string(),
        lacks: z
          .array(z.enum(['currency', 'day']))
          .readonly()
          .optional(),
      }),
      hits: z
        .array(
          z.object({
            kind: z.enum([
              'card',
              'free-card',
              'invitation',
              'order',
              'payout',
              'provider-payout',
              'organisation',
            ]),
            id: z.string(),
            /** The card that opens with it; null where it has none. */
            card: z.string().nullable(),
            name: z.string().nullable(),
            state: z.string().nullable(),
            amount: amount.nullable(),
            currency: z.string().nullable(),
            at: z.number().nullable(),
          }),
        )
        .readonly(),
      isMore: z.boolean(),
    })
    .transform(({ search, hits, isMore }) => ({
      /** What was recognized: never what was typed. */
      recognised: search.kind,
      lacks: search.lacks ?? [],
      hits,
      is_more: isMore,
    })),
})

/** A card, or an invitation, with everything that happened to it, oldest first. */
export const readCardFile = defineContract({
  method: 'POST',
  path: '/api/operator/card',
  request: z.object({ id: z.string().max(64) }),
  response: z
    .object({
      id: z.string(),
      orderId: z.string().nullable(),
      kind: z.enum(['donation', 'free', 'volunteering']),
      status: z.enum(CARD_STATUSES),
      language: z.string(),
      /** As only its owner recognizes it; null where it is forgotten. */
      address: z.string().nullable(),
      createdAt: z.number(),
      hasMessage: z.boolean(),
      holds: z.array(z.enum(HOLD_REASONS)).readonly(),
      credit: amount.optional(),
      currency: z.string().optional(),
      autoDonateAt: z.number().optional(),
      /** What of its payment has not gone back; null where nobody paid. */
      /** `leftOfCard`: of an order of many what is left of this one card. `byTransfer`: a person has to transfer it. */
      refundable: z
        .object({
          left: amount,
          leftOfCard: amount.optional(),
          currency: z.string(),
          byTransfer: z.boolean().optional(),
        })
        .nullable(),
      /** Of an order of many: how its cards stand; null for every other card. */
      many: z
        .object({ cards: z.number().int(), toHold: z.number().int(), held: z.number().int() })
        .nullable(),
      history: z
        .array(
          z.object({
            at: z.number(),
            what: z.string(),
            details: z.string(),
            amount: z.object({ amount, currency: z.string() }).optional(),
            ids: z.array(z.string()).readonly().optional(),
            mail: z.string().optional(),
          }),
        )
        .readonly(),
    })
    .transform(({ orderId, createdAt, hasMessage, autoDonateAt, many, history, ...card }) => ({
      ...card,
      many: many && {
        cards: many.cards,
        /** Those that freezing all of them would stop. */
        to_hold: many.toHold,
        /** Those that an operator holds. */
        held: many.held,
      },
      /** Did its giver write something with it, which is still kept? */
      has_message: hasMessage,
      order_id: orderId,
      created_at: createdAt,
      /** When an unused card is given away; null where it never is. */
      auto_donate_at: autoDonateAt ?? null,
      history: history.map(({ ids, mail, ...event }) => ({
        ...event,
        ids: ids ?? [],
        /** A mail that was given up and waits for somebody; null where it is none. */
        mail: mail ?? null,
      })),
    })),
})

/** A card; or an order of many, where it is about all of its cards. */
const aCard = { card: z.string().max(64) }
/** The browser's answer to the challenge of this press, JSON, for what gives somebody a gift or money. */
const again = { passkey: z.string().max(16_384).optional() }

/**
 * What an operator does about a gift. It needs an `Idempotency-Key`: the same press is carried out once. Amounts are
 * minor units.
 */
export const actOnGift = defineContract({
  method: 'POST',
  path: '/api/operator/act',
  request: z.discriminatedUnion('act', [
    z.object({ act: z.literal('resend'), ...aCard }),
    z.object({ act: z.literal('address'), ...aCard, email: z.string().max(254), ...again }),
    z.object({ act: z.literal('links'), ...aCard, ...again }),
    z.object({ act: z.literal('hold'), ...aCard }),
    z.object({ act: z.literal('release'), ...aCard }),
    z.object({ act: z.literal('blank'), ...aCard }),
    z.object({
      act: z.literal('refund'),
      ...aCard,
      amount: z.number().int().positive(),
      currency: z.enum(CURRENCIES),
      /** What could still be given back when the operator looked. */
      left: z.number().int().nonnegative(),
      ...again,
    }),
  ]),
  response: z
    .object({ card: z.string(), isRepeated: z.boolean() })
    .transform(({ card, isRepeated }) => ({ card, is_repeated: isRepeated })),
})

/** Notes that somebody has dealt with a mail that was given up. It needs an `Idempotency-Key`. */
export const dealWithMail = defineContract({
  method: 'POST',
  path: '/api/operator/dealt-with',
  request: z.object({ mail: z.string().max(64) }),
  response: z
    .object({ isRepeated: z.boolean() })
    .transform(({ isRepeated }) => ({ is_repeated: isRepeated })),
})

/**
 * What a passkey is asked: to sign in, to confirm a press, or to be made. `options` are those of WebAuthn, as JSON; null
 * where nothing has to be confirmed.
 */
export const askPasskey = defineContract({
  method: 'POST',
  path: '/api/operator/passkey-challenge',
  request: z.discriminatedUnion('for', [
    z.object({ for: z.literal('sign-in') }),
    z.object({ for: z.literal('press'), press: z.string().max(200) }),
    z.object({ for: z.literal('first'), token: z.string().max(200), name: z.string().max(200) }),
    z.object({ for: z.literal('invitation'), code: z.string().max(60) }),
  ]),
  response: z
    .object({ options: z.record(z.string(), z.unknown()).optional() })
    .transform(({ options }) => ({ options: options ?? null })),
})

/** The people at the desk. Times are epoch milliseconds UTC. */
export const readPeople = defineContract({
  method: 'GET',
  path: '/api/operator/people',
  request: z.undefined(),
  response: z
    .object({
      you: z.string().nullable(),
      role: z.enum(ROLES),
      people: z
        .array(
          z.object({
            id: z.string(),
            name: z.string(),
            role: z.enum(ROLES),
            email: z.string().nullable(),
            passkeys: z.number(),
            usedAt: z.number().nullable(),
            invitedUntil: z.number().nullable(),
          }),
        )
        .readonly(),
    })
    .transform(({ people, ...rest }) => ({
      ...rest,
      people: people.map(({ usedAt, invitedUntil, ...each }) => ({
        ...each,
        used_at: usedAt,
        invited_until: invitedUntil,
      })),
    })),
})

/** What a treasurer does about people. It needs an `Idempotency-Key`: the same press is carried out once. */
export const actOnPeople = defineContract({
  method: 'POST',
  path: '/api/operator/people-act',
  request: z.discriminatedUnion('act', [
    z.object({
      act: z.literal('invite'),
      name: z.string().max(200),
      role: z.enum(ROLES),
      email: z.string().max(254),
      ...again,
    }),
    z.object({ act: z.literal('add-passkey'), person: z.string().max(64), ...again }),
    z.object({ act: z.literal('end'), person: z.string().max(64), ...again }),
  ]),
  response: z
    .object({
      isRepeated: z.boolean(),
      invitation: z.object({ code: z.string(), until: z.number() }).optional(),
    })
    .transform(({ isRepeated, invitation }) => ({
      is_repeated: isRepeated,
      /** Shown once. */
      invitation: invitation ?? null,
    })),
})

/** The partners whose programs open payments. Times are epoch milliseconds UTC, days UTC. */
export const readPartners = defineContract({
  method: 'GET',
  path: '/api/operator/partners',
  request: z.undefined(),
  response: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        contact: z.string().nullable(),
        scopes: z.string(),
        createdAt: z.number(),
        usedDay: z.string().nullable(),
        revokedAt: z.number().nullable(),
      }),
    )
    .readonly()
    .transform(partners =>
      partners.map(({ createdAt, usedDay, revokedAt, ...each }) => ({
        ...each,
        created_at: createdAt,
        used_day: usedDay,
        revoked_at: revokedAt,
      })),
    ),
})

/** What a treasurer does about partners. It needs an `Idempotency-Key`: the same press is carried out once. */
export const actOnPartners = defineContract({
  method: 'POST',
  path: '/api/operator/partner-act',
  request: z.discriminatedUnion('act', [
    z.object({
      act: z.literal('add'),
      name: z.string().max(200),
      contact: z.string().max(254),
      scopes: z.string().max(100),
      ...again,
    }),
    z.object({ act: z.literal('revoke'), partner: z.string().max(64), ...again }),
  ]),
  response: z
    .object({ isRepeated: z.boolean(), made: z.object({ partner: z.string(), key: z.string() }).optional() })
    .transform(({ isRepeated, made }) => ({
      is_repeated: isRepeated,
      /** The key is shown once. */
      made: made ?? null,
    })),
})

/** Invoices, those that wait for money first. Times are epoch milliseconds UTC, amounts minor units. */
export const readInvoices = defineContract({
  method: 'GET',
  path: '/api/operator/invoices',
  request: z.undefined(),
  response: z
    .array(
      z.object({
        orderId: z.string(),
        number: z.string(),
        name: z.string(),
        maskedAddress: z.string().nullable(),
        standing: z.enum(INVOICE_STANDINGS),
        amount: z.object({ amount, currency: z.enum(CURRENCIES) }),
        cards: z.number(),
        madeAt: z.number(),
        dueAt: z.number(),
        paidOn: z.string().nullable(),
        due: z
          .array(
            z.object({
              withdrawal: z.number(),
              amount: z.object({ amount, currency: z.enum(CURRENCIES) }),
            }),
          )
          .readonly(),
      }),
    )
    .readonly()
    .transform(invoices =>
      invoices.map(
        ({ orderId, maskedAddress, madeAt, dueAt, paidOn, amount: { amount, currency }, due, ...each }) => ({
          ...each,
          order: orderId,
          masked_address: maskedAddress,
          amount,
          currency,
          made_at: madeAt,
          due_at: dueAt,
          paid_on: paidOn,
          /** What has to be transferred back, for which withdrawal. */
          due: due.map(({ withdrawal, amount: { amount } }) => ({ withdrawal, amount })),
        }),
      ),
    ),
})

const invoiceOrder = { order: z.string().max(64), ...again }

/** What a treasurer says of an invoice. It needs an `Idempotency-Key`: the same press is carried out once. */
export const actOnInvoices = defineContract({
  method: 'POST',
  path: '/api/operator/invoice-act',
  request: z
    .discriminatedUnion('act', [
      z.object({ act: z.literal('paid'), amount, paid_on: z.string().max(10), ...invoiceOrder }),
      z.object({ act: z.literal('cancel'), ...invoiceOrder }),
      z.object({ act: z.literal('refunded'), withdrawal: z.number().int(), ...invoiceOrder }),
    ])
    .transform(({ ...asked }) =>
      asked.act === 'paid'
        ? {
            act: asked.act,
            order: asked.order,
            amount: asked.amount,
            paidOn: asked.paid_on,
            passkey: asked.passkey,
          }
        : asked,
    ),
  response: z
    .object({ isRepeated: z.boolean() })
    .transform(({ isRepeated }) => ({ is_repeated: isRepeated })),
})

const payoutKeys = { payout: z.string().max(64) }
/** A whole statement of a month; a longer one goes through the terminal. */
const LONGEST_STATEMENT = 2 * 1024 * 1024
/** The body of a call with a statement: what JSON adds to its line ends and quotes counts too. */
export const MOST_STATEMENT_BYTES = 2 * LONGEST_STATEMENT

/** The payouts that a person may have to do something about. Amounts are minor units, times epoch milliseconds UTC. */
export const readPayouts = defineContract({
  method: 'GET',
  path: '/api/operator/payouts',
  request: z.undefined(),
  response: z
    .object({
      at: z.number(),
      nextRun: z.string(),
      withAccount: z.array(z.string()).readonly(),
      payouts: z
        .array(
          z.object({
            id: z.string(),
            ngoId: z.string(),
            name: z.string(),
            currency: z.string(),
            amount,
            status: z.enum(PAYOUT_STATE_NAMES),
            run: z.string().nullable(),
            madeAt: z.number(),
            reference: z.string().nullable(),
            said: z.string().nullable(),
            isByHand: z.boolean(),
          }),
        )
        .readonly(),
    })
    .transform(({ at, nextRun, withAccount, payouts }) => ({
      at,
      next_run: nextRun,
      /** Organisations that have a confirmed account. */
      with_account: withAccount,
      payouts: payouts.map(({ ngoId, madeAt, isByHand, ...each }) => ({
        ...each,
        ngo_id: ngoId,
        made_at: madeAt,
        /** Noted as paid by hand alone: no statement of the bank and no organisation says so. */
        is_by_hand: isByHand,
      })),
    })),
})

/** What an operator does about payouts. It needs an `Idempotency-Key`: the same press is carried out once. */
export const actOnPayouts = defineContract({
  method: 'POST',
  path: '/api/operator/payout-act',
  request: z.discriminatedUnion('act', [
    z.object({
      act: z.literal('run'),
      run: z.string().max(35),
      /** What was given before this instant goes into it: epoch milliseconds UTC. */
      before: z.number().int().nonnegative(),
      ...again,
    }),
    z.object({ act: z.literal('paid'), ...payoutKeys, reference: z.string().max(140), ...again }),
    z.object({ act: z.literal('unpaid'), ...payoutKeys, ...again }),
    z.object({ act: z.literal('cancel'), ...payoutKeys, ...again }),
  ]),
  response: z
    .object({ isRepeated: z.boolean() })
    .transform(({ isRepeated }) => ({ is_repeated: isRepeated })),
})

const bankFile = z.object({
  name: z.string(),
  text: z.string(),
  transfers: z.number(),
  sum: amount.optional(),
})

/** The files for the bank, with whole account numbers. It needs an `Idempotency-Key`. */
export const makeBankFiles = defineContract({
  method: 'POST',
  path: '/api/operator/payout-files',
  request: z.object({
    run: z.string().max(35),
    iban: z.string().max(50),
    payer: z.string().max(140),
    bic: z.string().max(11).optional(),
    on: z.string().max(10).optional(),
    ...again,
  }),
  response: z.object({ file: bankFile.optional(), others: bankFile.optional() }),
})

/** Reads a bank's statement, and notes what it says where it is applied. It needs an `Idempotency-Key`. */
export const readBankStatement = defineContract({
  method: 'POST',
  path: '/api/operator/statement',
  request: z.object({ text: z.string().max(LONGEST_STATEMENT), apply: z.boolean(), ...again }),
  response: z
    .object({
      isApplied: z.boolean(),
      unreadable: z.string().optional(),
      paid: z
        .array(
          z.object({
            payout: z.object({ id: z.string(), ngo_id: z.string(), currency: z.string(), amount }),
            reference: z.string(),
          }),
        )
        .readonly(),
      noted: z.array(z.string()).readonly(),
      amiss: z.array(z.object({ subject: z.string(), reference: z.string(), why: z.string() })).readonly(),
      others: z.number(),
    })
    .transform(({ isApplied, unreadable, paid, ...rest }) => ({
      ...rest,
      is_applied: isApplied,
      /** Why the file could not be read; null where it could. */
      unreadable: unreadable ?? null,
      paid: paid.map(({ payout: { id, ...payout }, reference }) => ({ payout: id, ...payout, reference })),
    })),
})

/** What the operator has to do now, first what is late. Days are `YYYY-MM-DD`. */
export const readDue = defineContract({
  method: 'GET',
  path: '/api/operator/due',
  request: z.undefined(),
  response: z
    .array(
      z.object({
        name: z.enum(DUTY_NAMES),
        title: z.string(),
        waiting: z.string().optional(),
        opened: z.string(),
        until: z.string(),
        isLate: z.boolean(),
        command: z.string(),
        guide: z.string(),
        known: z.enum(['data', 'noted', 'content', 'version']),
      }),
    )
    .readonly()
    .transform(due =>
      due.map(({ isLate, waiting, ...each }) => ({ ...each, is_late: isLate, waiting: waiting ?? null })),
    ),
})

/** The organisations that recipients miss on the list, the newest first: words of strangers, to be shown as text alone. */
export const readWishes = defineContract({
  method: 'GET',
  path: '/api/operator/wishes',
  request: z.undefined(),
  response: z
    .array(
      z.object({
        word: z.string(),
        names: z.array(z.string()).readonly(),
        hints: z.array(z.string()).readonly(),
        cards: z.number(),
        unseen: z.number(),
        newestAt: z.number(),
      }),
    )
    .readonly()
    .transform(wishes => wishes.map(({ newestAt, ...each }) => ({ ...each, newest_at: newestAt }))),
})

/** Marks the wishes for one organisation as looked at, as far as they were shown. It needs an `Idempotency-Key`. */
export const lookAtWish = defineContract({
  method: 'POST',
  path: '/api/operator/wish-seen',
  request: z.object({ word: z.string().min(1).max(400), until: z.int().min(0) }),
  response: z
    .object({ isRepeated: z.boolean() })
    .transform(({ isRepeated }) => ({ is_repeated: isRepeated })),
})

/** Notes that a duty was done which no data show. It needs an `Idempotency-Key`. */
export const noteDuty = defineContract({
  method: 'POST',
  path: '/api/operator/did',
  request: z.object({ duty: z.enum(DUTY_NAMES) }),
  response: z
    .object({ isRepeated: z.boolean() })
    .transform(({ isRepeated }) => ({ is_repeated: isRepeated })),
})

/** Every payout as a table (RFC 4180), for the bank or a spreadsheet. */
export const PAYOUTS_CSV_PATH = '/api/operator/payouts.csv'

/** What goes over the wire, for the Studio's tool. */
export type ContentStateAnswer = z.output<typeof readContentState.response>
export type SummaryAnswer = z.output<typeof readSummary.response>
export type FoundAnswer = z.output<typeof findGifts.response>
export type ActRequest = z.input<typeof actOnGift.request>
export type ActAnswer = z.output<typeof actOnGift.response>
export type CardFileAnswer = z.output<typeof readCardFile.response>
export type PayoutsAnswer = z.output<typeof readPayouts.response>
export type PayoutActRequest = z.input<typeof actOnPayouts.request>
export type BankFilesAnswer = z.output<typeof makeBankFiles.response>
export type StatementAnswer = z.output<typeof readBankStatement.response>
export type ChallengeRequest = z.input<typeof askPasskey.request>
export type PasskeyAnswer = z.output<typeof askPasskey.response>
export type PartnersAnswer = z.output<typeof readPartners.response>
export type PartnerActRequest = z.input<typeof actOnPartners.request>
export type PartnerActAnswer = z.output<typeof actOnPartners.response>
export type InvoicesAnswer = z.output<typeof readInvoices.response>
export type InvoiceActRequest = z.input<typeof actOnInvoices.request>
export type InvoiceActAnswer = z.output<typeof actOnInvoices.response>
export type PeopleAnswer = z.output<typeof readPeople.response>
export type PeopleActRequest = z.input<typeof actOnPeople.request>
export type PeopleActAnswer = z.output<typeof actOnPeople.response>
export type DueAnswer = z.output<typeof readDue.response>
export type WishesAnswer = z.output<typeof readWishes.response>
export type AudienceAnswer = z.output<typeof readAudience.response>
