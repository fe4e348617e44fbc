import { ImageIcon } from '@sanity/icons/Image'
import { defineField, defineType } from 'sanity'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { named } from '../languages/names.ts'
import { LEAST_WIDTH, widthVerdict } from '../rules/pictures.ts'
import { linkVerdict } from '../rules/texts.ts'
import { localisedLine, localisedText } from './localised.ts'
import { byPlace, placeField } from './order.ts'

/** A picture of the memorial; the first eight by place are the memorial's screens, all are the photo book. */
export const memorialPhoto = defineType({
  name: 'memorialPhoto',
  title: 'Memorial photo',
  type: 'document',
  icon: ImageIcon,
  components: { input: WithLanguageTabs },
  fields: [
    defineField({
      name: 'image',
      title: 'Picture',
      description: `At least ${LEAST_WIDTH} pixels wide, also after a crop. Set the point that must stay in view with “Edit hotspot and crop”.`,
      type: 'image',
      options: { hotspot: true, accept: 'image/jpeg,image/png,image/webp,image/avif' },
      validation: rule => [
        rule.required().assetRequired().error('The picture is missing.'),
        rule.custom(widthVerdict),
      ],
    }),
    localisedLine({ name: 'caption', title: 'Caption', description: 'The picture’s name, shown below it.' }),
    localisedText({
      name: 'alt',
      title: 'What can be seen',
      description: 'Read aloud to visitors who do not see the picture.',
      rows: 2,
    }),
    defineField({
      name: 'author',
      title: 'Author',
      description: 'As the credit names them.',
      type: 'string',
      validation: rule => rule.required().error('Whose picture is it? The site always names the author.'),
    }),
    defineField({
      name: 'licence',
      title: 'Licence',
      description:
        'As the credit names it, for instance “CC BY 4.0” or “With permission, letter of 3 May 2026”.',
      type: 'string',
      validation: rule =>
        rule.required().error('By what right is it shown? A picture without a licence is not published.'),
    }),
    defineField({
      name: 'source',
      title: 'Where it comes from',
      description: 'A page that shows the original, if there is one.',
      type: 'url',
      validation: rule => [
        rule.uri({ allowRelative: true, scheme: /.*/ }),
        rule.custom(value => value === undefined || linkVerdict(value)),
      ],
    }),
    placeField('The first eight are the memorial’s screens; all of them are in the photo book.'),
  ],
  orderings: [byPlace],
  preview: {
    select: { caption: named('caption'), author: 'author', place: 'place', media: 'image' },
    prepare: ({ caption, author, place, media }) => ({
      title: [place, caption ?? 'Photo without a caption'].filter(Boolean).join('. '),
      subtitle: author ?? 'no author yet',
      media,
    }),
  },
})
