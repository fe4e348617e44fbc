import { ColorWheelIcon } from '@sanity/icons/ColorWheel'
import { defineField, defineType } from 'sanity'
import { checkOffered, checkThemePlace, checkWord } from '../checks/themes.ts'
import { named } from '../languages/names.ts'
import { LANGUAGES, MOTIFS } from '../product.ts'
import {
  colourVerdict,
  contrastVerdict,
  MOTIF_NAMES,
  motifVerdict,
  type ThemeFacts,
  wordVerdict,
} from '../rules/themes.ts'
import { ColourInput } from '../themes/ColourInput.tsx'
import { ThemeForm, themePicture } from '../themes/ThemePicture.tsx'
import { localisedLine } from './localised.ts'
import { byPlace } from './order.ts'

/** What a name may have: one line of a tile that is half a phone wide. */
const MOST_NAME_CHARACTERS = 30

const colour = (name: 'paper' | 'ink', title: string, description: string) =>
  defineField({
    name,
    title,
    description,
    type: 'string',
    components: { input: ColourInput },
    validation: rule => [
      rule.required().error(String(colourVerdict(undefined))),
      rule.custom(value => !value || colourVerdict(value)),
    ],
  })

/** How cards look: the colours of paper and ink, and the flap of the envelope. */
export const theme = defineType({
  name: 'theme',
  title: 'Theme',
  type: 'document',
  icon: ColorWheelIcon,
  components: { input: ThemeForm },
  fields: [
    localisedLine({
      name: 'names',
      title: 'Name',
      description: 'Shown under the envelope; at most 30 characters.',
    }),
    colour('paper', 'Paper', 'The lighter of the two.'),
    colour('ink', 'Ink', 'Of the text, and of the envelope’s flap.'),
    defineField({
      name: 'motif',
      title: 'On the flap of the envelope',
      type: 'string',
      options: { list: MOTIFS.map(value => ({ value, title: MOTIF_NAMES[value] })), layout: 'radio' },
      initialValue: 'plain',
      validation: rule => [
        rule.required().error(String(motifVerdict(undefined))),
        rule.custom(value => !value || motifVerdict(value)),
      ],
    }),
    defineField({
      name: 'offered',
      title: 'Offered',
      description: 'Off: it is no longer shown where a theme is chosen. Cards that have it keep it.',
      type: 'boolean',
      initialValue: true,
      validation: rule => rule.custom(checkOffered),
    }),
    defineField({
      name: 'place',
      title: 'Place',
      description: 'The first that is offered is also worn by visitors who have chosen none.',
      type: 'number',
      validation: rule => [
        rule.required().integer().min(1).max(9_999).error('A whole number, such as 15 between 10 and 20.'),
        rule.custom(checkThemePlace),
      ],
    }),
    defineField({
      name: 'word',
      title: 'Its word',
      description:
        'Stands in styles and in the books, never on a screen. It cannot be changed once published.',
      type: 'string',
      validation: rule => [
        rule.required().error(String(wordVerdict(undefined))),
        rule.custom((value, context) => !value || checkWord(value, context)),
      ],
    }),
  ],
  validation: rule => [
    rule.custom(value => {
      const verdict = contrastVerdict((value ?? {}) as ThemeFacts)
      return verdict === true || { message: verdict, path: ['ink'] }
    }),
    rule.custom(value => {
      const names = (value?.names ?? {}) as Readonly<Record<string, unknown>>
      const long = LANGUAGES.find(
        language => String(names[language] ?? '').trim().length > MOST_NAME_CHARACTERS,
      )
      return (
        long === undefined || {
          message: 'At most 30 characters: the name stands on one line.',
          path: ['names', long],
        }
      )
    }),
  ],
  orderings: [byPlace],
  preview: {
    select: {
      title: named('names'),
      word: 'word',
      offered: 'offered',
      paper: 'paper',
      ink: 'ink',
      motif: 'motif',
    },
    prepare: ({ title, word, offered, ...look }) => ({
      title: title ?? 'Theme without a name',
      subtitle: [word, offered ? 'offered' : 'not offered'].filter(Boolean).join(' · '),
      media: themePicture(look),
    }),
  },
})
