import { CogIcon } from '@sanity/icons/Cog'
import { defineField, defineType } from 'sanity'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { linkVerdict } from '../rules/texts.ts'
import { localisedLine, localisedText, optionalLine } from './localised.ts'
import { markets } from './markets.ts'

const link = (name: string, title: string, description: string) =>
  defineField({
    name,
    title,
    description,
    type: 'url',
    fieldset: 'contact',
    validation: rule => [
      rule.uri({ allowRelative: true, scheme: /.*/ }),
      rule.required().error('The link is missing.'),
      rule.custom(value => !value || linkVerdict(value)),
    ],
  })

const line = (name: string, title: string, description?: string) =>
  defineField({
    name,
    title,
    ...(description !== undefined && { description }),
    type: 'string',
    validation: rule => [
      rule.required().error('This is missing.'),
      rule.max(500).error('At most 500 characters.'),
    ],
  })

/** What the operator says of the product itself; there is exactly one, with the id `settings`. */
export const settings = defineType({
  name: 'settings',
  title: 'Settings',
  type: 'document',
  icon: CogIcon,
  components: { input: WithLanguageTabs },
  fieldsets: [
    { name: 'contact', title: 'Contact and links', options: { collapsible: true } },
    { name: 'identity', title: 'Who runs the site', options: { collapsible: true } },
    { name: 'markets', title: 'What counts in each market', options: { collapsible: true } },
    { name: 'sharing', title: 'Words to share with', options: { collapsible: true } },
  ],
  fields: [
    localisedLine({ name: 'siteName', title: 'Name of the product' }),
    localisedText({
      name: 'affiliationNotice',
      title: 'About the organisations',
      description: 'Says that the product is not affiliated with the organisations it names.',
      rows: 2,
    }),
    defineField({
      name: 'contactEmail',
      title: 'Mailbox for questions',
      type: 'string',
      fieldset: 'contact',
      validation: rule => rule.required().email().error('An address such as hello@example.org.'),
    }),
    link('tipLink', 'Tip link', 'Where somebody can buy the developers a coffee.'),
    link('companyLink', 'Company link', 'For companies that want to give cards.'),
    link('professionalNetworkLink', 'Professional network', 'The product’s own page there.'),
    defineField({
      name: 'operator',
      title: 'As the law wants it said',
      description:
        'Stands above the legal notice, the terms and the privacy page, and at the foot of mails. Nothing can be bought until all of it is filled in and the terms are written.',
      type: 'object',
      fieldset: 'identity',
      fields: [
        line('legalName', 'Legal name'),
        localisedLine({ name: 'legalForm', title: 'Legal form' }),
        line('taxNumber', 'Tax number'),
        localisedLine({
          name: 'register',
          title: 'Register',
          description: 'Where it is registered, and the number there.',
        }),
        line('seat', 'Postal address'),
        line(
          'secondContact',
          'Second contact',
          'Beside the mailbox: a telephone number, or the address of a form.',
        ),
        localisedLine({
          name: 'supervisor',
          title: 'Supervisory authority',
          description: 'Who supervises it, such as a register or a data protection agency.',
        }),
        line('host', 'Host', 'Who keeps the servers, with their address.'),
      ],
    }),
    markets,
    defineField({
      name: 'paymentFee',
      title: 'What a payment costs',
      description:
        'Said in one line where gifts are chosen and paid. The organisations’ amount always stays whole: the books give it to them.',
      type: 'object',
      fieldset: 'markets',
      fields: [
        optionalLine(
          {
            name: 'cost',
            title: 'What the payment provider takes',
            description:
              'As a reader would say it, such as “1.5% and €0.25”. Empty: the line names no amount.',
          },
          rule => rule.max(80).error('At most 80 characters.'),
        ),
        defineField({
          name: 'paidFrom',
          title: 'Who pays it',
          type: 'string',
          options: {
            layout: 'radio',
            list: [
              { title: 'Us, out of the support and our own means', value: 'support' },
              { title: 'Us, out of our own means alone', value: 'own' },
            ],
          },
        }),
      ],
    }),
    defineField({
      name: 'shareTexts',
      title: 'Messages',
      description:
        'What is written into the message when a visitor shares the site; the link follows by itself.',
      type: 'object',
      fieldset: 'sharing',
      fields: [
        localisedText({ name: 'whatsappGroup', title: 'To a WhatsApp group' }),
        localisedText({ name: 'whatsappMessage', title: 'To one person on WhatsApp' }),
        localisedText({ name: 'facebookPost', title: 'As a post on Facebook' }),
      ],
      validation: rule => rule.required(),
    }),
  ],
  preview: { prepare: () => ({ title: 'Settings' }) },
})
