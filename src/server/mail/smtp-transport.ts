import { createTransport, type NodemailerError } from 'nodemailer'
import { MailFailure } from './failure.ts'
import { type MailTransport, nodemailerOptions } from './transport.ts'

const SECOND = 1000

/**
 * Delivers to a mail server.
 * @param url `smtp://` or `smtps://` with user and password in it
 */
export function createSmtpTransport(url: string): MailTransport {
  const server = createTransport({
    url,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
  })
  return {
    async send(message) {
      try {
        await server.sendMail(nodemailerOptions(message))
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
  const refused =
    error.command === 'RCPT TO' && error.permanent === true && !/\b5\.7\.\d/.test(error.response ?? '')
  return new MailFailure(`smtp-${error.responseCode ?? error.code ?? 'unknown'}`, refused)
}
