/** A part of a guide. `id` is what a link to a heading names. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }

const HEADING = /^(#+) (.*)$/
const ITEM = /^(\d+\.|[-*]) +/
const FENCE = /^```/
const ROW = /^\|(.*)\|$/
const RULE = /^\|[\s:|-]+\|$/
const PICTURE = /^!\[/

/** Reads the Markdown that our guides are written in. Pictures are left out: their text says the same. */
export function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  const takeWhile = (wanted: (line: string) => boolean): string[] => {
    const end = lines.findIndex(line => !wanted(line))
    return lines.splice(0, end === -1 ? lines.length : end)
  }
  while (lines.length > 0) {
    const line = lines[0]!
    const heading = HEADING.exec(line)
    if (heading) {
      const [, marks = '', text = ''] = heading
      blocks.push({ kind: 'heading', level: marks.length, text, id: idOf(text) })
      lines.shift()
    } else if (FENCE.test(line)) {
      lines.shift()
      blocks.push({ kind: 'code', text: takeWhile(each => !FENCE.test(each)).join('\n') })
      lines.shift()
    } else if (ROW.test(line)) {
      const rows = takeWhile(each => ROW.test(each)).filter(each => !RULE.test(each))
      blocks.push({ kind: 'table', rows: rows.map(cellsOf) })
    } else if (ITEM.test(line)) {
      const isOrdered = /^\d/.test(line)
      const items: (readonly Block[])[] = []
      while (lines.length > 0 && ITEM.test(lines[0]!)) items.push(itemOf(lines, takeWhile))
      blocks.push({ kind: 'list', isOrdered, items })
    } else if (line.trim() === '' || PICTURE.test(line)) lines.shift()
    else {
      const text = takeWhile(
        each => each.trim() !== '' && ![HEADING, FENCE, ROW, ITEM].some(it => it.test(each)),
      )
      blocks.push({ kind: 'paragraph', text: text.map(each => each.replace(/^> ?/, '')).join(' ') })
    }
  }
  return blocks
}

/** What belongs to an item is indented beneath it. */
function itemOf(lines: string[], takeWhile: (wanted: (line: string) => boolean) => string[]) {
  const first = lines.shift()!
  const marker = ITEM.exec(first)![0].length
  const rest = takeWhile(line => line.trim() === '' || /^ {2,}/.test(line))
  const own = rest.map(line => line.slice(Math.min(marker, line.search(/\S|$/))))
  return blocksOf([first.slice(marker), ...own].join('\n'))
}

const cellsOf = (row: string): readonly string[] =>
  ROW.exec(row)![1]!
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'))

/** The name of a heading in a link, as the repository's own pages have it. */
const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

/** A part of a line. */
export type Span =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }

const SPAN = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/g

/** The parts of a line: code, emphasis and links among plain words. */
export function spansOf(line: string): readonly Span[] {
  const spans: Span[] = []
  let from = 0
  for (const found of line.matchAll(SPAN)) {
    const [whole, code, strong, emphasis, text, to] = found
    if (found.index > from) spans.push({ kind: 'text', text: line.slice(from, found.index) })
    if (code !== undefined) spans.push({ kind: 'code', text: code })
    else if (strong !== undefined) spans.push({ kind: 'strong', text: strong })
    else if (emphasis !== undefined) spans.push({ kind: 'emphasis', text: emphasis })
    else spans.push({ kind: 'link', text: text!.replaceAll('`', ''), to: to! })
    from = found.index + whole.length
  }
  if (from < line.length) spans.push({ kind: 'text', text: line.slice(from) })
  return spans
}
