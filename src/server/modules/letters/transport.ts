import type { SendMailOptions } from 'nodemailer'
import type { Message } from './message.ts'

/** Delivers one mail, once; resolves when it is somebody else's to keep. */
export interface MailTransport {
  /** @throws MailFailure */
  send(message: Message): Promise<void>
  /** Lets go of what it holds. */
  close(): void
}

/** A message in nodemailer's words. The recipient goes in parsed, so that no part of it is read as a list or a name. */
export function nodemailerOptions(message: Message): SendMailOptions {
  return {
    from: message.from,
    to: { name: '', address: message.to },
    replyTo: { name: '', address: message.replyTo },
    subject: message.subject,
    ...(message.html !== undefined && { html: message.html }),
    text: message.text,
    messageId: message.messageId,
    date: message.date,
    headers: { ...message.headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
