import type { MailData, MailRow } from '#domain/mail/mail-data.ts'

/** The text part of a mail: the same words as the HTML part, links on lines of their own so that none is cut. */
export function mailText(mail: MailData): string {
  const sections = [
    [mail.greeting],
    [mail.opening],
    ...sectionsOf(mail),
    ...smallPrintOf(mail),
    ...(mail.trail ? [[`${mail.trail.label}:`, mail.trail.url]] : []),
    ...(mail.terms ? [[mail.terms.text, `${mail.terms.label}:`, mail.terms.url]] : []),
    ...ledgerOf(mail),
    [`${mail.contact.text} ${mail.contact.address}.`],
    [`-- \n${mail.siteName}`, ...(mail.identity === undefined ? [] : [mail.identity])],
  ]
  return sections.map(lines => lines.join('\n')).join('\n\n')
}

function sectionsOf({ sections, amounts }: MailData): string[][] {
  const paid = amounts
    ? [
        [
          heading(amounts.title),
          ...(amounts.receipt === undefined ? [] : [amounts.receipt, '']),
          ...columns([...amounts.rows, amounts.total]),
        ],
      ]
    : []
  const told = sections.map(({ title, note, copy, buttons = [] }) => [
    heading(title),
    note,
    ...(copy === undefined ? [] : ['', copy]),
    ...buttons.flatMap(({ label, url }) => ['', label, url]),
  ])
  return [...told, ...paid]
}

/** The head stands alone, so that it can be copied whole. */
function ledgerOf({ ledger }: MailData): string[][] {
  if (ledger === undefined) return []
  const { text, head, key } = ledger
  return [[text], ...(head ? [head.slice()] : []), [key.text, key.value]]
}

function smallPrintOf({ smallPrint, withdrawal }: MailData): string[][] {
  return [smallPrint, withdrawal].flatMap(small =>
    small ? [[small.text.trim(), ...(small.link ? [`${small.link.label}:`, small.link.url] : [])]] : [],
  )
}

/** The line beneath a title is as long as it, but never so long that a telephone breaks it. */
function heading(title: string): string {
  return `${title}\n${'-'.repeat(Math.min([...title].length, 32))}`
}

/** Labels to the left, amounts to the right, as far as the program's type keeps columns. */
function columns(rows: readonly MailRow[]): string[] {
  const longest = (texts: readonly string[]) => Math.max(...texts.map(text => text.length))
  const left = longest(rows.map(row => row.label)) + 2
  const right = longest(rows.map(row => row.amount))
  return rows.map(row => row.label.padEnd(left) + row.amount.padStart(right))
}
