import { defineArrayMember, defineField } from 'sanity'
import { LocalisedInput } from '../languages/LocalisedInput.tsx'
import { LANGUAGE_NAMES } from '../languages/names.ts'
import { CURRENCIES, LANGUAGES } from '../product.ts'
import { lastDayWordsVerdict, monthsVerdict, reminderDaysVerdict } from '../rules/markets.ts'

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

const lastDayWords = defineField({
  name: 'lastDayWords',
  title: 'Words for the last day',
  description:
    'A sentence of your own, with {{date}} where the day stands; the product’s own sentence where it is empty. It stands on the page after the payment, in the mails, in the story and on paper.',
  type: 'object',
  options: { collapsible: false },
  fields: LANGUAGES.map(language =>
    defineField({
      name: language,
      title: LANGUAGE_NAMES[language],
      type: 'string',
      validation: rule => rule.custom(value => !value || lastDayWordsVerdict(value)),
    }),
  ),
  components: { input: LocalisedInput },
})

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
