import { defineArrayMember, defineField } from 'sanity'
import { CURRENCIES } from '../product.ts'
import { lastDayWordsVerdict, monthsVerdict, reminderDaysVerdict } from '../rules/markets.ts'
import { optionalLine } from './localised.ts'

const TITLES = { EUR: 'Euros', USD: 'US dollars', CAD: 'Canadian dollars', GBP: 'Pounds' } as const

const months = defineField({
  name: 'months',
  title: 'Months until an unused card is given away',
  description:
    'At least 12, which it is when this is empty. Cards that are bought already keep what they have.',
  type: 'number',
  validation: rule => rule.custom(value => value === undefined || monthsVerdict(value)),
})

const reminderDays = defineField({
  name: 'reminderDays',
  title: 'Reminders',
  description: 'How many days before its last one the buyer is reminded; 30 and 7 when this is empty.',
  type: 'array',
  of: [defineArrayMember({ type: 'number' })],
  validation: rule =>
    rule.custom<unknown[]>(value => !value?.length || reminderDaysVerdict(value as readonly number[])),
})

const lastDayWords = optionalLine(
  {
    name: 'lastDayWords',
    title: 'Words for the last day',
    description:
      'A sentence of your own, with {{date}} where the day stands; the product’s own sentence where it is empty. It stands on the page after the payment, in the mails, in the story and on paper.',
  },
  rule => rule.custom(value => !value || lastDayWordsVerdict(value)),
)

/** What the operator sets for the buyers who pay in one currency. */
export const markets = defineField({
  name: 'markets',
  title: 'Markets',
  description:
    'What counts for buyers who pay in a currency. The terms that you publish have to say the same.',
  type: 'object',
  fieldset: 'markets',
  fields: CURRENCIES.map(currency =>
    defineField({
      name: currency,
      title: TITLES[currency],
      type: 'object',
      options: { collapsible: true, collapsed: true },
      fields: [months, reminderDays, lastDayWords],
    }),
  ),
})
