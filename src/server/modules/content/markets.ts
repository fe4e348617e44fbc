import { z } from 'zod'
import { areReminderDays, DEFAULT_TERM, isTermMonths } from '#domain/card/term.ts'
import { perLanguage } from '#domain/languages.ts'
import { amissInLastDayWords, DEFAULT_MARKET, type Market, perMarket } from '#domain/market.ts'
import { inEveryLanguage } from './fields.ts'

const lastDayWords = inEveryLanguage(
  z
    .string()
    .max(1_000)
    .refine(words => amissInLastDayWords(words) === undefined, 'no sentence for a last day')
    .nullish()
    .transform(given => given ?? ''),
)

/** What is not set is the product's own. */
const market = z
  .object({
    months: z.number().refine(isTermMonths, 'a card waits 12 months at least').nullish(),
    reminderDays: z.array(z.number()).max(100).nullish(),
    lastDayWords: lastDayWords.nullish(),
  })
  .refine(({ reminderDays }) => !reminderDays?.length || areReminderDays(reminderDays), {
    path: ['reminderDays'],
    message: 'no days to remind on',
  })
  .nullish()
  .transform(
    (given): Market => ({
      months: given?.months ?? DEFAULT_TERM.months,
      reminderDays: given?.reminderDays?.length
        ? given.reminderDays.toSorted((a, b) => b - a)
        : DEFAULT_TERM.reminderDays,
      lastDayWords: given?.lastDayWords ?? perLanguage(() => ''),
    }),
  )

/** What the operator sets for each market. */
export const markets = z
  .object(perMarket(() => market))
  .nullish()
  .transform(given => given ?? perMarket(() => DEFAULT_MARKET))
