import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileTransport, fileNameOf } from '#server/modules/letters/file-transport.ts'
import { aMessage } from '#tests/builders/mail.ts'

let root: string
let dir: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mail-'))
  dir = join(root, 'mail')
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('mails kept as files', () => {
  it('read back as they were sent', async () => {
    const message = aMessage()
    await createFileTransport(dir).send(message)
    const mail = await PostalMime.parse(await readFile(join(dir, fileNameOf(message.messageId))))
    expect(mail).toMatchObject({
      subject: message.subject,
      html: message.html,
      // The line break before the next part's boundary counts as the text's own.
      text: `${message.text}\n`,
      messageId: message.messageId,
      date: message.date.toISOString(),
      from: { name: 'Keep the Chain', address: 'cards@cards.example' },
      to: [{ name: '', address: message.to }],
      replyTo: [{ name: '', address: message.replyTo }],
    })
  })

  it('are one file when the same mail is sent twice, even side by side', async () => {
    const transport = createFileTransport(dir)
    await transport.send(aMessage())
    await Promise.all([transport.send(aMessage()), transport.send(aMessage({ text: 'Again' }))])
    expect(await readdir(dir)).toEqual([fileNameOf(aMessage().messageId)])
  })

  it('are two files for two mails', async () => {
    const transport = createFileTransport(dir)
    await transport.send(aMessage())
    await transport.send(aMessage({ messageId: '<other@cards.example>' }))
    expect(await readdir(dir)).toHaveLength(2)
  })

  it('belong to their owner alone: a gift link is money', async () => {
    await createFileTransport(dir).send(aMessage())
    const [name = ''] = await readdir(dir)
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600)
  })
})
