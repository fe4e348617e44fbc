import { inflateSync } from 'node:zlib'

/** What a program reads in a PDF of ours: its text as the tags order it, and the rectangles that were drawn. */
export interface ReadPdf {
  readonly pages: number
  /** What was written under each tag, in the order of the page's content. */
  readonly tagged: readonly { readonly tag: string; readonly text: string }[]
  readonly text: string
  /** Rectangles `[x, y, width, height]` within each figure. */
  readonly figures: readonly (readonly Rectangle[])[]
  /** The file as Latin-1, its streams unpacked, for what stands in plain sight. */
  readonly source: string
}

export type Rectangle = readonly [x: number, y: number, width: number, height: number]

/** Reads what pdfkit writes: Flate streams, hexadecimal text, a ToUnicode map for each font. */
export function readPdf(pdf: Uint8Array): ReadPdf {
  const bytes = Buffer.from(pdf)
  const objects = objectsOf(bytes)
  const fonts = new Map<string, ReadonlyMap<string, string>>()
  for (const [, list = ''] of bytes.toString('latin1').matchAll(/\/Font <<([\s\S]*?)>>/g)) {
    for (const [, name = '', id = ''] of list.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1]
      fonts.set(name, lettersOf(objects.get(map ?? '')?.stream ?? ''))
    }
  }
  const content =
    [...objects.values()].map(({ stream }) => stream).find(stream => stream.includes('BDC')) ?? ''
  const tagged: { tag: string; text: string }[] = []
  const figures: Rectangle[][] = []
  let letters: ReadonlyMap<string, string> = new Map()
  for (const line of content.split('\n')) {
    const tag = /^\/(\w+) <<$/.exec(line)?.[1]
    if (tag) tagged.push({ tag, text: '' })
    if (tag === 'Figure') figures.push([])
    const current = tagged.at(-1)
    const font = /^\/(F\d+) /.exec(line)?.[1]
    if (font) letters = fonts.get(font) ?? new Map()
    if (/ re$/.test(line) && current?.tag === 'Figure')
      figures.at(-1)?.push(line.split(' ').slice(0, 4).map(Number) as unknown as Rectangle)
    if (!/ TJ$/.test(line) || !current) continue
    const codes = [...line.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
    current.text += codes.map(code => letters.get(code.toLowerCase()) ?? '\ufffd').join('')
  }
  const source = bytes.toString('latin1')
  return {
    pages: [...source.matchAll(/\/Type \/Page\b(?!s)/g)].length,
    tagged,
    text: tagged.map(({ text }) => text).join('\n'),
    figures,
    source: source + [...objects.values()].map(({ stream }) => stream).join('\n'),
  }
}

interface PdfObject {
  readonly head: string
  readonly stream: string
}

function objectsOf(bytes: Buffer): ReadonlyMap<string, PdfObject> {
  const objects = new Map<string, PdfObject>()
  const source = bytes.toString('latin1')
  for (const match of source.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const from = match.index + match[0].length
    const to = source.indexOf('\nendobj', from)
    const body = source.slice(from, to)
    const [head = ''] = body.split('stream\n', 1)
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0)
    const packed = bytes.subarray(from + head.length + 7, from + head.length + 7 + length)
    const isText = head.includes('/FlateDecode') && !head.includes('/Length1')
    objects.set(match[1]!, { head, stream: isText ? inflateSync(packed).toString('latin1') : '' })
  }
  return objects
}

/** `beginbfrange` with a list for each range, as pdfkit writes it. */
function lettersOf(map: string): ReadonlyMap<string, string> {
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
