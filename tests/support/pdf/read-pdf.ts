import { inflateSync } from 'node:zlib'

/** What a reader of a PDF can get out of it. */
export interface ReadPdf {
  readonly pages: number
  /** The text of each page, in the order in which it is drawn. */
  readonly texts: readonly string[]
  readonly isTagged: boolean
  /** Alternative texts of the figures, in order. */
  readonly alts: readonly string[]
  readonly language: string | undefined
  readonly title: string | undefined
  /** Bytes of the embedded fonts, unpacked. */
  readonly fonts: readonly Buffer[]
}

/** Reads what pdfkit writes: objects in the open, streams deflated, text as glyph ids with a ToUnicode table. */
export function readPdf(bytes: Buffer): ReadPdf {
  const objects = objectsOf(bytes)
  const all = [...objects.values()].map(({ dictionary }) => dictionary)
  const catalogue = all.find(each => /\/Type \/Catalog/.test(each)) ?? ''
  const info = all.find(each => /\/Producer /.test(each)) ?? ''
  /** The text at a name, or where it refers to. */
  const stringAt = (dictionary: string, name: string): string | undefined => {
    const reference = new RegExp(`/${name} (\\d+) 0 R`).exec(dictionary)?.[1]
    const target = reference === undefined ? undefined : objects.get(Number(reference))?.dictionary
    return target === undefined ? stringIn(dictionary, name) : stringIn(`/${name} ${target.trim()}`, name)
  }
  const marks = objects.get(Number(/\/MarkInfo (\d+) 0 R/.exec(catalogue)?.[1]))?.dictionary ?? ''
  const cmap = [...objects.values()]
    .map(({ stream }) => stream?.toString('latin1') ?? '')
    .find(each => each.includes('begincmap'))
  const letters = lettersOf(cmap ?? '')
  const pageObjects = [...objects.values()].filter(({ dictionary }) =>
    /\/Type \/Page\b(?!s)/.test(dictionary),
  )
  const texts = pageObjects.map(({ dictionary }) => {
    const contents = Number(/\/Contents (\d+) 0 R/.exec(dictionary)?.[1])
    return textOf(objects.get(contents)?.stream?.toString('latin1') ?? '', letters)
  })
  const fonts = all.flatMap(each => {
    const file = /\/FontFile2 (\d+) 0 R/.exec(each)?.[1]
    const stream = file === undefined ? undefined : objects.get(Number(file))?.stream
    return stream ? [stream] : []
  })
  return {
    pages: pageObjects.length,
    texts,
    isTagged: /\/Marked true/.test(marks) && /\/StructTreeRoot \d+/.test(catalogue),
    alts: all.flatMap(each => {
      const alt = /\/S \/Figure/.test(each) ? stringIn(each, 'Alt') : undefined
      return alt === undefined ? [] : [alt]
    }),
    language: stringIn(catalogue, 'Lang'),
    title: stringAt(info, 'Title'),
    fonts,
  }
}

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

/** What each glyph stands for. */
function lettersOf(cmap: string): Map<number, string> {
  const letters = new Map<number, string>()
  for (const [, from = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    for (const [index, [, codes = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const units = codes.split(' ').filter(Boolean)
      letters.set(
        Number.parseInt(from, 16) + index,
        String.fromCharCode(...units.map(unit => Number.parseInt(unit, 16))),
      )
    }
  }
  return letters
}

function textOf(content: string, letters: ReadonlyMap<number, string>): string {
  const lines = [...content.matchAll(/\[([^\]]*)\] TJ/g)].map(([, line = '']) =>
    [...line.matchAll(/<([0-9a-f]+)>/g)]
      .flatMap(([, glyphs = '']) => glyphs.match(/.{4}/g) ?? [])
      .map(glyph => letters.get(Number.parseInt(glyph, 16)) ?? '\ufffd')
      .join(''),
  )
  return lines.join('\n')
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
