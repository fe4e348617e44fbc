import { inflateSync } from 'node:zlib'

/** What a program reads in a PDF of ours. */
export interface ReadPdf {
  readonly pages: number
  /** The text of each page, a line for each that was drawn, in order. */
  readonly texts: readonly string[]
  /** What was written under each tag, in the order of the pages' content. */
  readonly tagged: readonly { readonly tag: string; readonly text: string }[]
  /** What stands under the tags, a line each. */
  readonly text: string
  readonly isTagged: boolean
  /** Alternative texts of the figures, in order. */
  readonly alts: readonly string[]
  /** Rectangles `[x, y, width, height]` within each figure. */
  readonly figures: readonly (readonly Rectangle[])[]
  readonly language: string | undefined
  readonly title: string | undefined
  /** The size of each line that was drawn, in points. */
  readonly sizes: readonly number[]
  /** Bytes of the embedded fonts, unpacked. */
  readonly fonts: readonly Buffer[]
  /** The file as Latin-1, its streams but the fonts unpacked, for what stands in plain sight. */
  readonly source: string
}

export type Rectangle = readonly [x: number, y: number, width: number, height: number]

/** Reads what pdfkit writes: Flate streams, hexadecimal text, a ToUnicode map for each font. */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const source = Buffer.from(bytes)
  const objects = objectsOf(source)
  const all = [...objects.values()].map(({ dictionary }) => dictionary)
  const streamOf = (id: string | undefined): Buffer | undefined => objects.get(Number(id))?.stream
  const catalogue = all.find(each => /\/Type \/Catalog/.test(each)) ?? ''
  const info = all.find(each => /\/Producer /.test(each)) ?? ''
  /** The text at a name, or where it refers to. */
  const stringAt = (dictionary: string, name: string): string | undefined => {
    const reference = new RegExp(`/${name} (\\d+) 0 R`).exec(dictionary)?.[1]
    const target = reference === undefined ? undefined : objects.get(Number(reference))?.dictionary
    return target === undefined ? stringIn(dictionary, name) : stringIn(`/${name} ${target.trim()}`, name)
  }
  const marks = objects.get(Number(/\/MarkInfo (\d+) 0 R/.exec(catalogue)?.[1]))?.dictionary ?? ''
  const letters = new Map<string, Letters>()
  for (const [, list = ''] of all.join('\n').matchAll(/\/Font <<([\s\S]*?)>>/g)) {
    for (const [, name = '', id = ''] of list.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(Number(id))?.dictionary ?? '')?.[1]
      letters.set(name, lettersOf(streamOf(map)?.toString('latin1') ?? ''))
    }
  }
  const pages = all
    .filter(each => /\/Type \/Page\b(?!s)/.test(each))
    .map(page => streamOf(/\/Contents (\d+) 0 R/.exec(page)?.[1])?.toString('latin1') ?? '')
    .map(content => readContent(content, letters))
  const tagged = pages.flatMap(page => page.tagged)
  const fontFiles = all.flatMap(each => /\/FontFile2 (\d+) 0 R/.exec(each)?.[1] ?? [])
  const unpacked = [...objects].flatMap(([id, { stream }]) =>
    stream && !fontFiles.includes(`${id}`) ? [stream.toString('latin1')] : [],
  )
  return {
    pages: pages.length,
    texts: pages.map(({ lines }) => lines.join('\n')),
    tagged: tagged.map(({ tag, text }) => ({ tag, text })),
    text: tagged.map(({ text }) => text).join('\n'),
    isTagged: /\/Marked true/.test(marks) && /\/StructTreeRoot \d+/.test(catalogue),
    alts: all.flatMap(each => {
      const alt = /\/S \/Figure/.test(each) ? stringIn(each, 'Alt') : undefined
      return alt === undefined ? [] : [alt]
    }),
    figures: tagged.filter(({ tag }) => tag === 'Figure').map(({ rectangles }) => rectangles),
    sizes: pages.flatMap(({ sizes }) => sizes),
    language: stringIn(catalogue, 'Lang'),
    title: stringAt(info, 'Title'),
    fonts: fontFiles.flatMap(id => streamOf(id) ?? []),
    source: [source.toString('latin1'), ...unpacked].join('\n'),
  }
}

/** By the glyph's number in hexadecimal: what it stands for. */
type Letters = ReadonlyMap<string, string>

interface PdfObject {
  readonly dictionary: string
  readonly stream?: Buffer
}

function objectsOf(bytes: Buffer): Map<number, PdfObject> {
  const text = bytes.toString('latin1')
  const objects = new Map<number, PdfObject>()
  const start = /(?:^|\n)(\d+) 0 obj\n/g
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const from = match.index + match[0].length
    const streamAt = text.indexOf('stream\n', from)
    const endAt = text.indexOf('endobj', from)
    if (streamAt < 0 || streamAt > endAt) {
      objects.set(Number(match[1]), { dictionary: text.slice(from, endAt) })
      start.lastIndex = endAt
      continue
    }
    const dictionary = text.slice(from, streamAt)
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1])
    const raw = bytes.subarray(streamAt + 7, streamAt + 7 + length)
    const stream = dictionary.includes('/FlateDecode') ? inflateSync(raw) : raw
    objects.set(Number(match[1]), { dictionary, stream })
    start.lastIndex = streamAt + 7 + length
  }
  return objects
}

/** What a page draws: its lines, and the same under their tags. */
function readContent(content: string, fonts: ReadonlyMap<string, Letters>) {
  const lines: string[] = []
  const sizes: number[] = []
  let size = 0
  const tagged: { readonly tag: string; text: string; readonly rectangles: Rectangle[] }[] = []
  let letters: Letters = new Map()
  for (const line of content.split('\n')) {
    const tag = /^\/(\w+) <<$/.exec(line)?.[1]
    if (tag) tagged.push({ tag, text: '', rectangles: [] })
    const current = tagged.at(-1)
    const [, font, points] = /^\/(F\d+) ([\d.]+) Tf$/.exec(line) ?? []
    if (font) letters = fonts.get(font) ?? new Map()
    if (points) size = Number(points)
    if (/ re$/.test(line))
      current?.rectangles.push(line.split(' ').slice(0, 4).map(Number) as unknown as Rectangle)
    if (!/ TJ$/.test(line)) continue
    const codes = [...line.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
    const text = codes.map(code => letters.get(code.toLowerCase()) ?? '\ufffd').join('')
    lines.push(text)
    sizes.push(size)
    if (current) current.text += text
  }
  return { lines, sizes, tagged }
}

/** `beginbfrange` with a list for each range, as pdfkit writes it. */
function lettersOf(map: string): Letters {
  const letters = new Map<string, string>()
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi)) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/gi)].entries()) {
      const code = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0')
      const units = hex.replaceAll(' ', '').match(/.{4}/g) ?? []
      letters.set(code, String.fromCharCode(...units.map(unit => Number.parseInt(unit, 16))))
    }
  }
  return letters
}

/** A text string of a dictionary: plain, or UTF-16 after its mark. */
function stringIn(dictionary: string, name: string): string | undefined {
  const found = new RegExp(`/${name} \\(((?:\\\\.|[^\\\\)])*)\\)`, 's').exec(dictionary)?.[1]
  if (found === undefined) return undefined
  const plain = found.replace(/\\(\d{3}|.)/gs, (_, code: string) =>
    /^\d/.test(code)
      ? String.fromCharCode(Number.parseInt(code, 8))
      : ({ n: '\n', r: '\r', t: '\t' }[code] ?? code),
  )
  return plain.startsWith('\xfe\xff')
    ? Buffer.from(plain.slice(2), 'latin1').swap16().toString('utf16le')
    : plain
}
