import { defineField, type FieldDefinition } from 'sanity'
import { CURRENCIES } from '../product.ts'
import {
  amountVerdict,
  type PriceValue,
  reachVerdict,
  supportVerdict,
  totalVerdict,
} from '../rules/packages.ts'

interface Named {
  readonly name: string
  readonly title: string
  readonly description?: string
}

/** What a package costs in each currency, in whole units. */
export const pricesField = ({ name, title, description }: Named): FieldDefinition =>
  defineField({
    name,
    title,
    ...(description !== undefined && { description }),
    type: 'object',
    options: { collapsible: true },
    fields: CURRENCIES.map(currency =>
      defineField({
        name: currency,
        title: currency,
        type: 'object',
        options: { columns: 2 },
        fields: [
          defineField({
            name: 'amount',
            title: `Amount in ${currency}`,
            type: 'number',
            validation: rule => [
              rule.required().error(String(amountVerdict(undefined))),
              rule.custom(value => value === undefined || amountVerdict(value)),
            ],
          }),
          defineField({
            name: 'support',
            title: 'Support at first',
            type: 'number',
            initialValue: 0,
            validation: rule => [
              rule.required().error('0, if no support is suggested.'),
              rule.custom(
                (value, { parent }) =>
                  value === undefined || supportVerdict(value, (parent as PriceValue | undefined)?.amount),
              ),
            ],
          }),
        ],
        validation: rule => rule.required().error(`The price in ${currency} is missing.`),
      }),
    ),
    validation: rule => [
      rule.required().error('These prices are missing.'),
      rule.custom((value, { document }) => totalVerdict(value, document?.reach)),
    ],
  })

/** How far the slider of the support reaches. */
export const reachField = (initialValue: number): FieldDefinition =>
  defineField({
    name: 'reach',
    title: 'Reach of the support slider',
    description: '1 lets a buyer add as much support as the package costs, 2 twice as much.',
    type: 'number',
    initialValue,
    validation: rule => [
      rule.required().error(String(reachVerdict(undefined))),
      rule.custom(value => value === undefined || reachVerdict(value)),
    ],
  })
