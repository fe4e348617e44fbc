import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '#server/platform/files.ts'
import { type MailTransport, nodemailerOptions } from './transport.ts'

/**
 * Keeps mails as `.eml` files, for where no mail server is configured. The file's name follows from the
 * Message-ID, so a mail sent again replaces itself; a crash leaves at most a `.part` file beside it. The folder
 * and the files are readable by their owner only: a gift link is money.
 * @param dir made when missing
 */
export function createFileTransport(dir: string): MailTransport {
  return {
    async send(message) {
      // 40 files, which a site starts without.
      const { createTransport } = await import('nodemailer')
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message: raw } = await composer.sendMail(nodemailerOptions(message))
      await mkdir(dir, { recursive: true, mode: 0o700 })
      await writeWhole(join(dir, fileNameOf(message.messageId)), raw as Buffer)
    },
    close() {},
  }
}

/** `<32 hex digits>.eml` */
export function fileNameOf(messageId: string): string {
  return `${createHash('sha256').update(messageId).digest('hex').slice(0, 32)}.eml`
}
