import { z } from 'zod'
import { areReminderDays, DEFAULT_TERM, isTermMonths } from '#domain/card/term.ts'
import { perLanguage } from '#domain/languages.ts'
import {
  amissInLastDayWords,
  areCertificateWords,
  DEFAULT_MARKET,
  isIdentityAmount,
  type Market,
  perMarket,
  RECEIPTS,
} from '#domain/market.ts'
import { DEFAULT_TAX_RATES, isTaxShare, isVatRate } from '#domain/money/tax.ts'
import { isMostOwn } from '#domain/pricing/own-amount.ts'
import { inEveryLanguage } from './fields.ts'

const lastDayWords = inEveryLanguage(
  z
    .string()
    .max(1_000)
    .refine(words => amissInLastDayWords(words) === undefined, 'no sentence for a last day')
    .nullish()
    .transform(given => given ?? ''),
)

const optionalWords = inEveryLanguage(
  z
    .string()
    .max(1_000)
    .nullish()
    .transform(given => given ?? ''),
)

/** A value that is not set is the product's own. */
const market = z
  .object({
    months: z.number().refine(isTermMonths, 'a card waits 12 months at least').nullish(),
    reminderDays: z.array(z.number()).max(100).nullish(),
    lastDayWords: lastDayWords.nullish(),
    taxShare: z.number().refine(isTaxShare, 'whole percent').nullish(),
    vatRate: z.number().refine(isVatRate, 'percent with two decimals at most').nullish(),
    receipts: z.enum(RECEIPTS).nullish(),
    certificateWords: optionalWords.nullish(),
    identityFrom: z.number().refine(isIdentityAmount, 'whole units').nullish(),
    mostOwn: z.number().refine(isMostOwn, 'whole units').nullish(),
  })
  .refine(({ reminderDays }) => !reminderDays?.length || areReminderDays(reminderDays), {
    path: ['reminderDays'],
    message: 'no days to remind on',
  })
  .refine(
    ({ receipts, certificateWords: words }) => receipts !== 'own' || areCertificateWords(words ?? undefined),
    { path: ['certificateWords'], message: 'a certificate says by which law it is given' },
  )
  .nullish()
  .transform(
    (given): Market => ({
      months: given?.months ?? DEFAULT_TERM.months,
      reminderDays: given?.reminderDays?.length
        ? given.reminderDays.toSorted((a, b) => b - a)
        : DEFAULT_TERM.reminderDays,
      lastDayWords: given?.lastDayWords ?? perLanguage(() => ''),
      taxShare: given?.taxShare ?? DEFAULT_TAX_RATES.taxShare,
      vatRate: given?.vatRate ?? DEFAULT_TAX_RATES.vatRate,
      receipts: given?.receipts ?? DEFAULT_MARKET.receipts,
      certificateWords: given?.certificateWords ?? DEFAULT_MARKET.certificateWords,
      identityFrom: given?.identityFrom ?? DEFAULT_MARKET.identityFrom,
      mostOwn: given?.mostOwn ?? DEFAULT_MARKET.mostOwn,
    }),
  )

/** What the operator sets for each market. */
export const markets = z
  .object(perMarket(() => market))
  .nullish()
  .transform(given => given ?? perMarket(() => DEFAULT_MARKET))
