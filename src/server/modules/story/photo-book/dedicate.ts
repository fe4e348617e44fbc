import { open, readFile } from 'node:fs/promises'
import type { Language } from '#domain/languages.ts'
import { DEDICATED_PAGES, type Dedication, drawDedicated } from './dedicated-pages.ts'
import { dedicatedBeside } from './draw.ts'
import { openBook } from './faces.ts'

/** More than the end of a file takes that pdfkit writes: its trailer, and where its table of objects stands. */
const END_BYTES = 2_048

/**
 * What makes a book somebody's: it goes behind the finished file (an incremental update, PDF 7.5.6) and puts the cover,
 * the first and the last page in place of those that are there. The file itself stays as it is, and who gave what is
 * written to no disk.
 */
export async function dedicationOf(
  file: string,
  language: Language,
  dedication: Dedication,
): Promise<Buffer> {
  const ids = JSON.parse(await readFile(dedicatedBeside(file), 'utf8')) as readonly number[]
  const { size, end } = await endOf(file)
  const trailer = end.slice(end.lastIndexOf('trailer'), end.lastIndexOf('startxref'))
  const entries = trailer.slice(trailer.indexOf('<<') + 2, trailer.lastIndexOf('>>'))
  const before = Number.parseInt(end.slice(end.lastIndexOf('startxref') + 'startxref'.length), 10)
  if (!entries.includes('/Root') || !(before > 0)) throw new Error('the photo-book has no end')
  const parts: Buffer[] = [Buffer.from('\n')]
  let offset = size + 1
  const table: string[] = []
  for (const [index, content] of (await contentsOf(language, dedication)).entries()) {
    const id = ids[index]
    if (id === undefined) throw new Error('the photo-book lacks a page')
    const object = Buffer.concat([
      Buffer.from(`${id} 0 obj\n<<\n/Length ${content.length}\n>>\nstream\n`),
      content,
      Buffer.from('\nendstream\nendobj\n'),
    ])
    table.push(`${id} 1\n${String(offset).padStart(10, '0')} 00000 n \n`)
    parts.push(object)
    offset += object.length
  }
  parts.push(
    Buffer.from(
      `xref\n${table.join('')}trailer\n<<${entries}/Prev ${before}\n>>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

/** The pages as they are drawn, in their order. */
async function contentsOf(language: Language, dedication: Dedication): Promise<Buffer[]> {
  const draft = await openBook({ language, title: '', author: '' }, { isDraft: true })
  const root = draft.struct('Document')
  draft.addStructure(root)
  return DEDICATED_PAGES.map(page => {
    drawDedicated(draft, root, page, dedication)
    const { content } = draft.page as unknown as { content: { buffer: Uint8Array[] } }
    return Buffer.concat(content.buffer)
  })
}

async function endOf(file: string): Promise<{ size: number; end: string }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const length = Math.min(END_BYTES, size)
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return { size, end: buffer.toString('latin1') }
  } finally {
    await handle.close()
  }
}
