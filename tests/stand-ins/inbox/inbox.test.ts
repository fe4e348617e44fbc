import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileTransport, fileNameOf } from '#server/modules/letters/file-transport.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createInbox, type Inbox } from '#stand-ins/inbox/inbox.ts'
import { aMessage } from '#tests/builders/mail.ts'

let root: string
let dir: string
let inbox: Inbox

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'inbox-'))
  dir = join(root, 'mail')
  inbox = createInbox({ dir })
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Keeps a mail as the site does, with the time it arrived at. @returns its id */
async function arrives(changes: Partial<Message> = {}, at = '2026-03-10T09:00:00Z'): Promise<string> {
  const message = aMessage(changes)
  await createFileTransport(dir).send(message)
  const name = fileNameOf(message.messageId)
  await utimes(join(dir, name), new Date(at), new Date(at))
  return name.replace('.eml', '')
}

async function look(path: string, method = 'GET') {
  const response = await inbox.handle(new Request(`http://localhost${path}`, { method }))
  return { status: response.status, headers: response.headers, body: await response.text() }
}

describe('the inbox', () => {
  it('answers for its own paths only', () => {
    expect(['/_local/mail', '/_local/mail/', '/_local/mail/abc/raw'].map(inbox.matches)).toEqual([
      true,
      true,
      true,
    ])
    expect(['/', '/_local', '/_local/mailbox', '/_local/pay'].map(inbox.matches)).toEqual(
      Array(4).fill(false),
    )
  })

  it('is empty before the first mail, when there is not even a folder', async () => {
    const { status, body } = await look('/_local/mail')
    expect(status).toBe(200)
    expect(body).toContain('Nothing yet')
  })

  it('lists the newest first', async () => {
    const older = await arrives({ messageId: '<older@x>', subject: 'Older' }, '2026-03-10T09:00:00Z')
    const newest = await arrives({ messageId: '<newest@x>', subject: 'Newest' }, '2026-03-12T09:00:00Z')
    const middle = await arrives({ messageId: '<middle@x>', subject: 'Middle' }, '2026-03-11T09:00:00Z')
    const { body } = await look('/_local/mail')
    expect([...body.matchAll(/data-mail="(\w+)"/g)].map(match => match[1])).toEqual([newest, middle, older])
  })

  it('lists the mails of one mailbox, also those that are no longer among the newest of all', async () => {
    const first = await arrives({ messageId: '<first@x>', to: 'ana@mail.example' }, '2026-03-10T09:00:00Z')
    for (let n = 0; n < 100; n++)
      await arrives({ messageId: `<${n}@x>`, to: 'other@mail.example' }, '2026-03-11T09:00:00Z')
    const last = await arrives({ messageId: '<last@x>', to: 'ana@mail.example' }, '2026-03-12T09:00:00Z')
    const listed = async (path: string) =>
      [...(await look(path)).body.matchAll(/data-mail="(\w+)"/g)].map(match => match[1])
    expect(await listed('/_local/mail')).not.toContain(first)
    expect(await listed('/_local/mail?to=Ana%40mail.example')).toEqual([last, first])
    expect(await listed('/_local/mail?to=nobody%40mail.example')).toEqual([])
  })

  it('lists finished mails only', async () => {
    const id = await arrives()
    await writeFile(join(dir, `${'0'.repeat(32)}.eml.123.part`), 'Subject: half')
    await mkdir(join(dir, 'folder'))
    const { body } = await look('/_local/mail')
    expect([...body.matchAll(/data-mail="(\w+)"/g)].map(match => match[1])).toEqual([id])
  })

  it('shows what a mail says of itself as text, never as markup', async () => {
    const id = await arrives({ subject: '<script>alert(1)</script>', text: '<img src=x onerror=alert(1)>' })
    for (const path of ['', `/${id}`, `/${id}/text`, `/${id}/raw`]) {
      const { body } = await look(`/_local/mail${path}`)
      expect(body).not.toMatch(/<script|<img/)
    }
  })

  it('shows the text part, the source and the headers', async () => {
    const id = await arrives({ subject: 'Votre carte', text: 'Merci & à bientôt' })
    expect((await look(`/_local/mail/${id}/text`)).body).toContain('Merci &#38; à bientôt')
    expect((await look(`/_local/mail/${id}/raw`)).body).toContain(
      'Content-Transfer-Encoding: quoted-printable',
    )
    expect((await look(`/_local/mail/${id}`)).body).toContain('Auto-Submitted: auto-generated')
  })

  it('shows the letter in a frame without scripts, whose links lead the whole window', async () => {
    const html =
      '<!doctype html><html><head><title>x</title></head><body><a href="https://a.example">A</a></body></html>'
    const id = await arrives({ html })
    const page = await look(`/_local/mail/${id}`)
    const frame = /<iframe[^>]*>/.exec(page.body)?.[0] ?? ''
    expect(frame).toContain(`src="/_local/mail/${id}/html"`)
    expect(/sandbox="([^"]*)"/.exec(frame)?.[1]).not.toMatch(/allow-scripts|allow-same-origin|allow-forms/)

    const letter = await look(`/_local/mail/${id}/html`)
    expect(letter.body.trimEnd()).toBe(html.replace('<head>', '<head><base target="_top">'))
    const policy = letter.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/; sandbox allow-popups/)
    expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin|https?:|\*/)
  })

  it('opens no file but its mails', async () => {
    await arrives()
    await writeFile(join(root, 'secret.eml'), 'Subject: secret\r\n\r\nsecret')
    await writeFile(join(dir, 'secret.eml'), 'Subject: secret\r\n\r\nsecret')
    const names = [
      'secret',
      'secret.eml',
      '..%2fsecret',
      '%2e%2e%2fsecret',
      '..\\secret',
      '../secret',
      'a'.repeat(32),
    ]
    for (const name of [...names, `${'a'.repeat(32)}%00`, `${'A'.repeat(32)}`, '']) {
      for (const part of ['', '/html', '/text', '/raw', '/other']) {
        const { status, body } = await look(`/_local/mail/${name}${part}`)
        expect(body).not.toContain('Subject: secret')
        if (name !== '') expect(status).toBe(404)
      }
    }
  })

  it('is kept by nobody and found by nobody, whatever it answers', async () => {
    const id = await arrives()
    for (const path of ['', '/', `/${id}`, `/${id}/html`, `/${id}/text`, `/${id}/raw`, '/none', '/a/b/c']) {
      const { headers } = await look(`/_local/mail${path}`)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  it('is for reading only', async () => {
    const { status, headers } = await look('/_local/mail', 'POST')
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('GET, HEAD')
    expect((await look('/_local/mail', 'HEAD')).status).toBe(200)
  })
})
