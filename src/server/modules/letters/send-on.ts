import type { MailSection } from '#domain/mail/mail-data.ts'

/**
 * A link to send, and the button that begins a mail with it. The mail program of the buyer opens it: no server hears of
 * the link, and nothing that follows the links of a letter sends it on.
 */
export function linkToSend(
  link: string,
  words: { readonly label: string; readonly subject: string; readonly text: string },
): Required<Pick<MailSection, 'copy' | 'send'>> {
  const body = `${words.text}\r\n\r\n${link}`
  const fields = Object.entries({ subject: words.subject, body })
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return { copy: link, send: { label: words.label, url: `mailto:?${query}` } }
}
