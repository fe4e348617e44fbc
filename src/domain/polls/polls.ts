import type { Language } from '../languages.ts'
import type { Currency } from '../money/currency.ts'
import { cleanLine } from '../text/clean-line.ts'

export const POLL_IDS = ['poll-1', 'poll-2'] as const

export type PollId = (typeof POLL_IDS)[number]

/** For whom an option is meant; for everybody where nothing is said. */
export interface PollOption {
  readonly id: string
  readonly languages?: readonly Language[]
  /** In which currency's bands it stands: euros, or dollars for every other currency. */
  readonly band?: 'EUR' | 'USD'
}

interface Asked {
  readonly id: string
  readonly optional?: true
}

export type PollQuestion =
  /** A whole number from 0 to 5. */
  | (Asked & { readonly kind: 'scale' })
  | (Asked & { readonly kind: 'choice'; readonly options: readonly PollOption[] })
  | (Asked & { readonly kind: 'multiple'; readonly options: readonly PollOption[]; readonly most: number })
  | (Asked & { readonly kind: 'text' })

export const SCALE_MOST = 5
export const TEXT_MOST = 200

// Marked, so that a bundle which only names a poll leaves its questions out.
/* @__NO_SIDE_EFFECTS__ */
const options = (...ids: string[]): PollOption[] => ids.map(id => ({ id }))
/* @__NO_SIDE_EFFECTS__ */
const inBand = (band: 'EUR' | 'USD', ...ids: string[]): PollOption[] => ids.map(id => ({ id, band }))
/* @__NO_SIDE_EFFECTS__ */
const both = (some: PollOption[], others: PollOption[]): PollOption[] => [...some, ...others]

/** The two polls (product.md#form-checks, product.md#waits-and-motion), in the order of their questions. */
export const POLLS: Readonly<Record<PollId, readonly PollQuestion[]>> = {
  'poll-1': [
    { id: 'donated', kind: 'choice', options: options('yes', 'no', 'no-answer') },
    { id: 'impact', kind: 'scale', optional: true },
    { id: 'sharing', kind: 'scale', optional: true },
    { id: 'postcard', kind: 'choice', options: options('yes', 'no') },
  ],
  'poll-2': [
    { id: 'age', kind: 'choice', options: options('under-20', '20-24', '25-34', '35-49', '50-or-more') },
    { id: 'culture', kind: 'scale', optional: true },
    { id: 'informed', kind: 'choice', options: options('yes', 'a-little', 'no') },
    { id: 'drink', kind: 'choice', options: options('coffee', 'tea', 'other', 'no-answer') },
    {
      id: 'traditions',
      kind: 'multiple',
      most: 3,
      optional: true,
      options: options(
        'christmas',
        'ramadan',
        'hanukkah',
        'lunar-new-year',
        'day-of-the-dead',
        'diwali',
        'carnival',
      ),
    },
    {
      id: 'education',
      kind: 'choice',
      optional: true,
      options: both(options('0', '1', '2', '3'), [{ id: '4', languages: ['es', 'fr'] }]),
    },
    { id: 'studying', kind: 'choice', options: options('yes', 'no') },
    {
      id: 'income',
      kind: 'choice',
      optional: true,
      options: both(
        inBand('EUR', 'under-900', '900-1400', '1400-2000', 'over-2000'),
        inBand('USD', 'under-2000', '2000-4000', '4000-6000', 'over-6000'),
      ),
    },
    { id: 'known', kind: 'text', optional: true },
    { id: 'planned', kind: 'text', optional: true },
  ],
}

/** Is this the id of one of the polls? */
export function isPollId(value: unknown): value is PollId {
  return (POLL_IDS as readonly unknown[]).includes(value)
}

/** Is an option meant for this visitor? */
export function isOffered(
  { languages, band }: PollOption,
  { language, currency }: { readonly language: Language; readonly currency?: Currency },
): boolean {
  const isInLanguage = languages?.includes(language) ?? true
  return isInLanguage && (band === undefined || currency === undefined || band === bandOf(currency))
}

const BANDS: Readonly<Record<Currency, 'EUR' | 'USD'>> = { EUR: 'EUR', USD: 'USD', CAD: 'USD', GBP: 'USD' }

/** The income bands that a visitor with this currency is offered. */
export function bandOf(currency: Currency): 'EUR' | 'USD' {
  return BANDS[currency]
}

/** Answers by question: a number for a scale, an option's id, several ids, or a text. */
export type PollAnswers = Readonly<Record<string, number | string | readonly string[]>>

/** Is this an answer to the question? A text counts without the blanks around it. */
export function isAnswerTo(question: PollQuestion, value: unknown): value is PollAnswers[string] {
  switch (question.kind) {
    case 'scale':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= SCALE_MOST
    case 'choice':
      return question.options.some(({ id }) => id === value)
    case 'multiple':
      return (
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= question.most &&
        new Set(value).size === value.length &&
        value.every(each => question.options.some(({ id }) => id === each))
      )
    case 'text':
      return typeof value === 'string' && value.trim() !== '' && [...value].length <= TEXT_MOST
  }
}

/** The answers that are ones, of whatever was kept or sent; the rest is dropped. */
export function readAnswers(poll: PollId, kept: unknown): PollAnswers {
  const given = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>
  return Object.fromEntries(
    POLLS[poll].flatMap(question => {
      const value = Object.hasOwn(given, question.id) ? given[question.id] : undefined
      return isAnswerTo(question, value) ? [[question.id, value]] : []
    }),
  )
}

/**
 * The answers without those that this visitor is no longer offered, since the currency or the language has changed.
 */
export function offeredAnswers(
  poll: PollId,
  answers: PollAnswers,
  visitor: { readonly language: Language; readonly currency: Currency },
): PollAnswers {
  const isChosenFrom = (question: PollQuestion, value: PollAnswers[string] | undefined): boolean =>
    !('options' in question) ||
    [value]
      .flat()
      .every(id => question.options.some(option => option.id === id && isOffered(option, visitor)))
  return Object.fromEntries(
    POLLS[poll].flatMap(question => {
      const value = answers[question.id]
      return value !== undefined && isChosenFrom(question, value) ? [[question.id, value]] : []
    }),
  )
}

/** An answer as it is sent. */
export interface SentAnswer {
  readonly id: string
  readonly value: PollAnswers[string]
  /** The poll could have been sent without it. */
  readonly isOptional: boolean
}

/** The answers as they are sent, in the order of the questions. */
export function sentAnswers(poll: PollId, answers: PollAnswers): SentAnswer[] {
  return POLLS[poll].flatMap(({ id, optional = false }) => {
    const value = answers[id]
    return value === undefined ? [] : [{ id, value, isOptional: optional }]
  })
}

/** Reads what was sent, whoever sent it; what is no answer is dropped. Pages that were open before send a table. */
export function readSentAnswers(poll: PollId, sent: unknown): PollAnswers {
  if (!Array.isArray(sent)) return readAnswers(poll, sent)
  return readAnswers(poll, Object.fromEntries(sent.map(each => [each?.id, each?.value])))
}

/** The questions that must be answered before the poll can be sent, and are not (product.md#form-checks). */
export function missingAnswers(poll: PollId, answers: PollAnswers): string[] {
  return POLLS[poll].filter(({ id, optional }) => !optional && answers[id] === undefined).map(({ id }) => id)
}

/**
 * Every single thing said, for counting: each option of several by itself, a text as one clean line, since not every
 * database takes every character. A text without a visible character counts as nothing.
 */
export function valuesOf(answer: PollAnswers[string]): string[] {
  const said = Array.isArray(answer) ? answer.map(String) : [cleanLine(String(answer), TEXT_MOST)]
  return said.filter(Boolean)
}

/** What the order after a payment asks of a buyer. */
export interface PollState {
  readonly poll1Completed: boolean
  /** Answered whether to do the second poll: yes, no, or not yet. */
  readonly wantsPoll2?: boolean | undefined
  readonly poll2Completed: boolean
}

/** The screen that follows the links after a payment (product.md#payment); the last shows the same links again. */
export function screenAfterPayment({ poll1Completed, wantsPoll2, poll2Completed }: PollState): string {
  if (!poll1Completed) return 'poll-ngo'
  if (wantsPoll2 === undefined) return 'no-refresh/donation-2-intro-poll-postpayment'
  return wantsPoll2 && !poll2Completed ? 'no-refresh/donation-2-poll-postpayment' : 'no-refresh/checkout'
}
