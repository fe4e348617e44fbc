import { CogIcon } from '@sanity/icons/Cog'
import { defineField, defineType } from 'sanity'
import { linkVerdict } from '../rules/texts.ts'
import { localisedLine, localisedText } from './localised.ts'

const link = (name: string, title: string, description: string) =>
  defineField({
    name,
    title,
    description,
    type: 'url',
    group: 'contact',
    validation: rule => [rule.uri({ allowRelative: true, scheme: /.*/ }), rule.custom(linkVerdict)],
  })

/** What the operator says of the product itself; there is exactly one, with the id `settings`. */
export const settings = defineType({
  name: 'settings',
  title: 'Settings',
  type: 'document',
  icon: CogIcon,
  groups: [
    { name: 'name', title: 'Name', default: true },
    { name: 'contact', title: 'Contact and links' },
    { name: 'sharing', title: 'Sharing' },
  ],
  fields: [
    localisedLine({ name: 'siteName', title: 'Name of the product', group: 'name' }),
    localisedText({
      name: 'affiliationNotice',
      title: 'About the organisations',
      description: 'Says that the product is not affiliated with the organisations it names.',
      rows: 2,
      group: 'name',
    }),
    defineField({
      name: 'contactEmail',
      title: 'Mailbox for questions',
      type: 'string',
      group: 'contact',
      validation: rule => rule.required().email().error('An address such as hello@example.org.'),
    }),
    link('tipLink', 'Tip link', 'Where somebody can buy the developers a coffee.'),
    link('companyLink', 'Company link', 'For companies that want to give cards.'),
    link('professionalNetworkLink', 'Professional network', 'The product’s own page there.'),
    defineField({
      name: 'shareTexts',
      title: 'Words to share with',
      description:
        'What is written into the message when a visitor shares the site; the link follows by itself.',
      type: 'object',
      group: 'sharing',
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
