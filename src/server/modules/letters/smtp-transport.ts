import { createTransport, type NodemailerError } from 'nodemailer'
import { LEASE_MS } from '#server/platform/outbox/claim.ts'
import { MailFailure } from './failure.ts'
import { type MailTransport, nodemailerOptions } from './transport.ts'

/** A sending that outlived the job's lease would run beside the next try. */
const SENDING_MS = LEASE_MS * 0.75

/**
 * Mails hold the links of cards: they leave this machine encrypted or not at all. Without this a server in between
 * that takes the offer of encryption out of the greeting would be given them in the clear.
 */
function encryptionOf(url: string): { requireTLS: boolean } {
  return { requireTLS: !['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname) }
}

/**
 * Delivers to a mail server.
 * @param url `smtp://` or `smtps://`, with user and password in it
 */
export function createSmtpTransport(url: string): MailTransport {
  const server = createTransport({ url, ...encryptionOf(url) })
  return {
    async send(message) {
      try {
        await server.sendMail({ ...nodemailerOptions(message), signal: AbortSignal.timeout(SENDING_MS) })
      } catch (error) {
        throw failureOf(error as NodemailerError)
      }
    },
    close: () => server.close(),
  }
}

/**
 * Keeps the code of what went wrong and drops the sentence, which quotes the address. Given up at once only when
 * the server refuses this recipient for good; a refusal by policy (5.7.x), of our sender or of our login is ours
 * to mend, so the mail waits for that.
 */
function failureOf(error: NodemailerError): MailFailure {
  const code = `smtp-${error.responseCode ?? error.code ?? 'unknown'}`
  const isPolicy = /\b5\.7\.\d/.test(error.response ?? '')
  const isRefused = error.command === 'RCPT TO' && error.permanent === true && !isPolicy
  return new MailFailure(code, isRefused)
}

/** Connects and logs in, and sends nothing. @throws MailFailure with a code, when that does not work in time */
export async function tryMailServer(url: string, timeoutMs: number): Promise<void> {
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs }
  const server = createTransport({ url, ...encryptionOf(url), ...timeouts })
  try {
    await server.verify()
  } catch (error) {
    throw failureOf(error as NodemailerError)
  } finally {
    server.close()
  }
}
