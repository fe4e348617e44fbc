import { escapeHTML, toHTML } from '@portabletext/to-html'
import type { z } from 'zod'
import { isLinkTarget } from '#domain/content/links.ts'
import type { Html } from './snapshot.ts'
import type { portableText } from './validate.ts'

export type PortableText = z.infer<typeof portableText>

/**
 * Turns an operator's text into markup: paragraphs, headings, lists, strong, emphasis and links. All text is
 * escaped. A link opens nothing in its opener's name (`rel=noopener`); one with another scheme stays plain text.
 */
export function toHtml(text: PortableText): Html {
  return toHTML(text, {
    components: {
      marks: {
        link: ({ children, value }) => {
          const href = typeof value?.href === 'string' ? value.href : ''
          return isLinkTarget(href)
            ? `<a href="${escapeHTML(href)}" rel="noopener">${children}</a>`
            : children
        },
      },
    },
    onMissingComponent: false,
  })
}
