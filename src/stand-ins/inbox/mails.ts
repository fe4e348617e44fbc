import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Address } from 'postal-mime'

/** A kept mail, parsed. */
export interface KeptMail {
  /** Its file's name without `.eml`. */
  readonly id: string
  readonly subject: string
  readonly from: string
  readonly to: string
  /** ISO 8601, or whatever the mail says. */
  readonly date: string
  /** As written, long ones unfolded. */
  readonly headers: readonly string[]
  readonly html: string | undefined
  readonly text: string
  /** As it was sent. */
  readonly source: string
}

/** What the file transport names a mail, and nothing that could lead out of the folder. */
const ID = /^[0-9a-f]{32}$/
const FILE = /^([0-9a-f]{32})\.eml$/

/**
 * The mails of a folder, newest first, at most `limit`; none while the folder does not exist.
 * @param to an address: only the mails that a mailbox of this address would have
 */
export async function readMails(
  dir: string,
  limit: number,
  { to }: { readonly to?: string | undefined } = {},
): Promise<KeptMail[]> {
  const names = await readdir(dir).catch(absent)
  const all = (names ?? []).flatMap(name => FILE.exec(name)?.[1] ?? [])
  const ids = to === undefined ? all : await idsTo(dir, all, to)
  const files = await Promise.all(ids.map(async id => ({ id, at: await modifiedAt(dir, id) })))
  const newest = files.sort((a, b) => b.at - a.at).slice(0, limit)
  const mails = await Promise.all(newest.map(({ id }) => readMail(dir, id)))
  return mails.filter(mail => mail !== undefined)
}

/** One mail; undefined when there is none of that name. */
export async function readMail(dir: string, id: string): Promise<KeptMail | undefined> {
  if (!ID.test(id)) return undefined
  const raw = await readFile(join(dir, `${id}.eml`)).catch(absent)
  if (raw === undefined) return undefined
  const mail = await PostalMime.parse(raw)
  return {
    id,
    subject: mail.subject ?? '(no subject)',
    from: mail.from === undefined ? '' : addressText(mail.from),
    to: (mail.to ?? []).map(addressText).join(', '),
    date: mail.date ?? '',
    headers: mail.headerLines.map(header => header.line),
    html: mail.html,
    text: mail.text ?? '',
    source: raw.toString('utf8'),
  }
}

function addressText({ name, address }: Address): string {
  if (address === undefined) return name
  return name === '' ? address : `${name} <${address}>`
}

/** Those of the mails whose header names this address: read for that alone, since parsing takes much longer. */
async function idsTo(dir: string, ids: readonly string[], to: string): Promise<string[]> {
  const named = await Promise.all(
    ids.map(async id => {
      const raw = await readFile(join(dir, `${id}.eml`), 'utf8').catch(absent)
      const head = raw?.split('\r\n\r\n', 1)[0] ?? ''
      // A long line goes on in the next, which begins with a blank.
      const [, mailbox = ''] = /^To:((?:.|\r\n[ \t])*)/im.exec(head) ?? []
      return mailbox.toLowerCase().includes(to.toLowerCase()) ? [id] : []
    }),
  )
  return named.flat()
}

async function modifiedAt(dir: string, id: string): Promise<number> {
  const file = await stat(join(dir, `${id}.eml`)).catch(absent)
  return file?.mtimeMs ?? 0
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
