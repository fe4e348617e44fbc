import { defineArrayMember, defineField, type FieldDefinition, type ObjectRule } from 'sanity'
import { CURRENCIES, type Receipts } from '../product.ts'
import {
  certificateWordsVerdict,
  identityFromVerdict,
  lastDayWordsVerdict,
  monthsVerdict,
  mostOwnVerdict,
  reminderDaysVerdict,
  taxShareVerdict,
  vatRateVerdict,
} from '../rules/markets.ts'
import type { Verdict } from '../rules/texts.ts'
import { optionalLine } from './localised.ts'

const TITLES = { EUR: 'Euros', USD: 'US dollars', CAD: 'Canadian dollars', GBP: 'Pounds' } as const

/** A number that may be left empty; one that is written has to pass the verdict. */
const numberField = (
  named: { readonly name: string; readonly title: string; readonly description: string },
  verdict: (value: number) => Verdict,
): FieldDefinition =>
  defineField({
    ...named,
    type: 'number',
    validation: rule => rule.custom(value => value === undefined || verdict(value)),
  })

const months = numberField(
  {
    name: 'months',
    title: 'Months until an unused card is given away',
    description:
      'At least 12, which it is when this is empty. Cards that are bought already keep what they have.',
  },
  monthsVerdict,
)

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

const taxShare = numberField(
  {
    name: 'taxShare',
    title: 'Tax shown of the support, in percent',
    description:
      'So much of the whole support is shown as its tax, and booked so; 21 when this is empty. Orders that are paid already keep what they have.',
  },
  taxShareVerdict,
)

const vatRate = numberField(
  {
    name: 'vatRate',
    title: 'VAT rate, in percent',
    description:
      'What tax reports find within the support, of which VAT is a part: of 121 at 21 percent it is 21. 21 when this is empty. Orders that are paid already keep what they have.',
  },
  vatRateVerdict,
)

const receipts = defineField({
  name: 'receipts',
  title: 'Tax certificates for buyers',
  description:
    'With “None” the summary and the mail say that the gift is not tax-deductible for its buyer. Choose the other only if the tax office counts you yourselves among those to whom gifts are deductible: the mail then leads to a form, and that to a numbered certificate.',
  type: 'string',
  options: {
    layout: 'radio',
    list: [
      { title: 'None', value: 'none' },
      { title: 'Our own: we are an eligible donee ourselves', value: 'own' },
    ],
  },
})

const certificateWords = {
  ...optionalLine(
    {
      name: 'certificateWords',
      title: 'What the certificate says of your right to give it',
      description:
        'Names the law and your register: “… is among the entities of article 16 of Ley 49/2002 …”. Let your adviser write it.',
    },
    rule => rule,
  ),
  hidden: ({ parent }: { parent?: { receipts?: string } }) => parent?.receipts !== 'own',
  validation: (rule: ObjectRule) =>
    rule.custom((value, { parent }) =>
      certificateWordsVerdict(
        value as Readonly<Record<string, string>> | undefined,
        (parent as { receipts?: Receipts } | undefined)?.receipts,
      ),
    ),
  // The rule of an object is narrower than that of any field, which is what the line is declared as.
} as unknown as FieldDefinition

const identityFrom = numberField(
  {
    name: 'identityFrom',
    title: 'Ask who gives, from this amount on',
    description:
      'Whole units, support included. Spain’s law has associations and foundations identify who gives 100 euros or more, and keep it for ten years. Nobody is asked when this is empty.',
  },
  identityFromVerdict,
)

const mostOwn = numberField(
  {
    name: 'mostOwn',
    title: 'The highest amount that a buyer may type',
    description:
      'Whole units, from your lowest package up to this; 500 when this is empty, and none is offered with 0.',
  },
  mostOwnVerdict,
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
      fields: [
        months,
        reminderDays,
        lastDayWords,
        taxShare,
        vatRate,
        receipts,
        certificateWords,
        identityFrom,
        mostOwn,
      ],
    }),
  ),
})
