import {
  defineArrayMember,
  defineField,
  type FieldDefinition,
  type RuleBuilder,
  type StringRule,
} from 'sanity'
import { LocalisedInput } from '../languages/LocalisedInput.tsx'
import { LANGUAGE_NAMES } from '../languages/names.ts'
import { LANGUAGES, type Language } from '../product.ts'
import { bodyVerdict, linkVerdictIn, missing, targetVerdict, textVerdict } from '../rules/texts.ts'

interface Named {
  readonly name: string
  readonly title: string
  readonly description?: string
}

/** A field with one value for each language; the tabs above the document say which of them it shows. */
function inEveryLanguage(named: Named, valueIn: (language: Language) => FieldDefinition): FieldDefinition {
  return defineField({
    ...named,
    type: 'object',
    options: { collapsible: false },
    fields: LANGUAGES.map(valueIn),
    components: { input: LocalisedInput },
    validation: rule => rule.required(),
  })
}

/** A line that cannot be missing, in this language. */
export const lineIn = (language: Language): FieldDefinition<'string'> =>
  defineField({
    name: language,
    title: LANGUAGE_NAMES[language],
    type: 'string',
    validation: rule => [
      rule.required().error(missing('text', language)),
      rule.custom(value => !value || textVerdict(value, language)),
    ],
  })

/** One line in each language. */
export const localisedLine = (named: Named): FieldDefinition => inEveryLanguage(named, lineIn)

/** One line in the languages that need one. @param validation of each that is written */
export const optionalLine = (
  named: Named,
  validation: (rule: StringRule) => RuleBuilder<StringRule, string>,
): FieldDefinition =>
  defineField({
    ...named,
    type: 'object',
    options: { collapsible: false },
    fields: LANGUAGES.map(language =>
      defineField({ name: language, title: LANGUAGE_NAMES[language], type: 'string', validation }),
    ),
    components: { input: LocalisedInput },
  })

/** A word or two in the languages that need them. */
export const localisedWord = (named: Named): FieldDefinition =>
  optionalLine(named, rule => rule.max(10).error('A word or two: at most 10 characters.'))

/** A few lines in each language. */
export const localisedText = (named: Named & { readonly rows?: number }): FieldDefinition => {
  const { rows = 3, ...rest } = named
  return inEveryLanguage(rest, language =>
    defineField({
      name: language,
      title: LANGUAGE_NAMES[language],
      type: 'text',
      rows,
      validation: rule => [
        rule.required().error(missing('text', language)),
        rule.custom(value => !value || textVerdict(value, language)),
      ],
    }),
  )
}

/** A page of another site for readers of each language. */
export const localisedLink = (named: Named): FieldDefinition =>
  inEveryLanguage(named, language =>
    defineField({
      name: language,
      title: LANGUAGE_NAMES[language],
      type: 'url',
      // Sanity's own rule for addresses would say the same again in other words.
      validation: rule => [
        rule.uri({ allowRelative: true, scheme: /.*/ }),
        rule.required().error(missing('link', language)),
        rule.custom(value => !value || linkVerdictIn(value, language)),
      ],
    }),
  )

/** Paragraphs, headings, lists and links in each language: what the site's pages can show, and no more. */
export const localisedBody = (named: Named): FieldDefinition =>
  inEveryLanguage(named, language =>
    defineField({
      name: language,
      title: LANGUAGE_NAMES[language],
      type: 'array',
      of: [
        defineArrayMember({
          type: 'block',
          styles: [
            { title: 'Paragraph', value: 'normal' },
            { title: 'Heading', value: 'h2' },
            { title: 'Smaller heading', value: 'h3' },
          ],
          lists: [
            { title: 'Bullets', value: 'bullet' },
            { title: 'Numbers', value: 'number' },
          ],
          marks: {
            decorators: [
              { title: 'Strong', value: 'strong' },
              { title: 'Emphasis', value: 'em' },
            ],
            annotations: [
              {
                name: 'link',
                title: 'Link',
                type: 'object',
                fields: [
                  defineField({
                    name: 'href',
                    title: 'Leads to',
                    description:
                      'https://… for another site, mailto:… for a mailbox, /… for a page of this site.',
                    type: 'string',
                    validation: rule => [
                      rule.required().error('The link is missing.'),
                      rule.custom(value => !value || targetVerdict(value)),
                    ],
                  }),
                ],
              },
            ],
          },
        }),
      ],
      validation: rule => [
        rule.required().error(missing('text', language)),
        rule.custom(value => !value || bodyVerdict(value, language)),
      ],
    }),
  )
