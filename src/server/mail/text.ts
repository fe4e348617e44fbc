import type { MailData } from '#domain/mail/mail-data.ts'

/** The text part of a mail: the same words as the HTML part, links on lines of their own so that none is cut. */
export function mailText(mail: MailData): string {
  const rows = [...mail.amounts.rows, mail.amounts.total]
  const sections = [
    [mail.greeting],
    [mail.opening],
    [heading(mail.gift.title), mail.gift.note, '', mail.gift.url],
    [heading(mail.preview.title), mail.preview.note, '', mail.preview.url],
    [heading(mail.year.title), mail.year.text],
    [heading(mail.amounts.title), ...rows.map(row => `${row.label}: ${row.amount}`)],
    [`${mail.contact.text} ${mail.contact.address}.`],
    [`-- \n${mail.siteName}`],
  ]
  return `${sections.map(lines => lines.join('\n')).join('\n\n')}\n`
}

function heading(title: string): string {
  return `${title}\n${'-'.repeat([...title].length)}`
}
