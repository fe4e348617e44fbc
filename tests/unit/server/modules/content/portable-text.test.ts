import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLinkTarget } from '#domain/content/links.ts'
import { toHtml } from '#server/modules/content/portable-text.ts'

interface Marks {
  readonly marks?: string[]
  readonly markDefs?: { _key: string; _type: 'link'; href: string }[]
}

const paragraph = (text: string, { marks = [], markDefs = [] }: Marks = {}) => ({
  _type: 'block' as const,
  style: 'normal' as const,
  markDefs,
  children: [{ _type: 'span' as const, text, marks }],
})

const linked = (href: string) =>
  toHtml([paragraph('here', { marks: ['a'], markDefs: [{ _key: 'a', _type: 'link', href }] })])

describe('portable text', () => {
  it('escapes markup in its text', () => {
    expect(toHtml([paragraph('<script>alert("1")</script> & more')])).toBe(
      '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more</p>',
    )
  })

  it('lets no text open a tag, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const inside = toHtml([paragraph(text)]).slice('<p>'.length, -'</p>'.length)
        expect(inside.replaceAll('<br/>', '')).not.toMatch(/[<>"]/)
      }),
    )
  })

  it('makes headings, strong words and lists', () => {
    expect(
      toHtml([
        { ...paragraph('Title'), style: 'h2' },
        paragraph('strong', { marks: ['strong'] }),
        { ...paragraph('one'), listItem: 'bullet', level: 1 },
        { ...paragraph('two'), listItem: 'bullet', level: 1 },
      ]),
    ).toBe('<h2>Title</h2><p><strong>strong</strong></p><ul><li>one</li><li>two</li></ul>')
  })

  it('gives links no opener', () => {
    expect(linked('https://example.org/a?b=1&c=2')).toBe(
      '<p><a href="https://example.org/a?b=1&amp;c=2" rel="noopener">here</a></p>',
    )
  })

  it('keeps a link inside its attribute', () => {
    expect(linked('https://example.org/"onmouseover="alert(1)')).not.toContain('"onmouseover')
  })

  it.each(['https://example.org/', 'mailto:hello@example.org', '/es/intro'])('links to %s', href => {
    expect(isLinkTarget(href)).toBe(true)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>',
    'http://example.org/',
    '//example.org/',
    '/\\example.org/',
    'https:example.org',
    'intro',
    '',
  ])('leaves %j as plain text', href => {
    expect(isLinkTarget(href)).toBe(false)
    expect(linked(href)).toBe('<p>here</p>')
  })
})
