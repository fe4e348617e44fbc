import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DUTIES } from '#domain/desk/duties.ts'
import { type Block, blocksOf, spansOf } from '../../../studio/src/guides/markdown.ts'

const read = (file: string) => blocksOf(readFileSync(file, 'utf8'))

describe('a guide in the Studio', () => {
  it('is read with its headings, lists, tables and commands', () => {
    const markdown = [
      '# One page',
      '',
      'A line that',
      'goes on.',
      '',
      '1. First, `a|b`:',
      '',
      '   | what | how |',
      '   |---|---|',
      '   | this | that |',
      '2. Second',
      '   and more',
      '   - beneath',
      '',
      '```sh',
      '# no heading',
      '```',
      '![a picture](pictures/one.png)',
      '## What’s left?',
    ].join('\n')
    const paragraph = (text: string) => ({ kind: 'paragraph', text })
    expect(blocksOf(markdown)).toEqual([
      { kind: 'heading', level: 1, text: 'One page', id: 'one-page' },
      paragraph('A line that goes on.'),
      {
        kind: 'list',
        isOrdered: true,
        items: [
          [
            paragraph('First, `a|b`:'),
            {
              kind: 'table',
              rows: [
                ['what', 'how'],
                ['this', 'that'],
              ],
            },
          ],
          [paragraph('Second and more'), { kind: 'list', isOrdered: false, items: [[paragraph('beneath')]] }],
        ],
      },
      { kind: 'code', text: '# no heading' },
      { kind: 'heading', level: 2, text: 'What’s left?', id: 'whats-left' },
    ])
  })

  it('has code, emphasis and links in its lines', () => {
    expect(spansOf('Say `erase`, **now**, *Go on*: [the drill](https://gift.example/drill).')).toEqual([
      { kind: 'text', text: 'Say ' },
      { kind: 'code', text: 'erase' },
      { kind: 'text', text: ', ' },
      { kind: 'strong', text: 'now' },
      { kind: 'text', text: ', ' },
      { kind: 'emphasis', text: 'Go on' },
      { kind: 'text', text: ': ' },
      { kind: 'link', text: 'the drill', to: 'https://gift.example/drill' },
      { kind: 'text', text: '.' },
    ])
  })

  it('has the heading that its duty names', () => {
    for (const { guide } of Object.values(DUTIES)) {
      const [file = '', heading] = guide.split('#')
      const ids = read(file).flatMap(block => (block.kind === 'heading' ? [block.id] : []))
      if (heading !== undefined) expect(ids, guide).toContain(heading)
    }
  })

  it('begins with its title, and no mark of Markdown is left of any', () => {
    const words = (blocks: readonly Block[]): string[] =>
      blocks.flatMap(block => {
        if (block.kind === 'list') return block.items.flatMap(words)
        if (block.kind === 'table') return block.rows.flat()
        return block.kind === 'code' ? [] : [block.text]
      })
    for (const file of readdirSync('docs/guides').filter(name => name.endsWith('.md'))) {
      const blocks = read(`docs/guides/${file}`)
      expect(blocks[0], file).toMatchObject({ kind: 'heading', level: 1 })
      const plain = words(blocks)
        .flatMap(spansOf)
        .flatMap(span => (span.kind === 'text' ? [span.text] : []))
      for (const text of plain) expect(text, file).not.toMatch(/^#|\]\(|```|^\|/)
    }
  })
})
