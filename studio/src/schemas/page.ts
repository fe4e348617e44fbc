import { DocumentTextIcon } from '@sanity/icons/DocumentText'
import { defineField, defineType } from 'sanity'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { localisedBody } from './localised.ts'

/** The pages that are text alone, by their slug. */
export const PAGE_TITLES: Readonly<Record<string, string>> = {
  'who-we-are': 'Who we are',
  'cookie-policy': 'Cookie policy',
  'legal-notice': 'Legal notice',
  terms: 'Terms',
  privacy: 'Privacy',
}

/** A page that is text alone. Which pages there are is the site's matter; what they say is the operator's. */
export const page = defineType({
  name: 'page',
  title: 'Page',
  type: 'document',
  icon: DocumentTextIcon,
  components: { input: WithLanguageTabs },
  fields: [
    defineField({
      name: 'slug',
      title: 'Which page',
      type: 'slug',
      readOnly: true,
      hidden: true,
      validation: rule => rule.required(),
    }),
    localisedBody({ name: 'body', title: 'Text' }),
  ],
  preview: {
    select: { slug: 'slug.current' },
    prepare: ({ slug }) => ({ title: PAGE_TITLES[slug] ?? 'Page', subtitle: 'In three languages' }),
  },
})
