/**
 * What begins a formula, also in the full width of East Asian keyboards, behind whatever a spreadsheet may leave out:
 * spaces, line breaks, tabs, invisible characters, quotation marks.
 */
const FORMULA = /^[\s\p{C}'"]*[=+\-@＝＋－＠]|^[\t\r]/u

/**
 * A cell of a table with commas (RFC 4180), quoted where it must be. A text that a spreadsheet would take for a formula
 * gets an apostrophe before it, and stays a text.
 */
export function csvCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
