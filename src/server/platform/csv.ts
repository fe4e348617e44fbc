/**
 * What begins a formula, also in the full width of East Asian keyboards, behind whatever a spreadsheet may leave out:
 * spaces, line breaks, tabs, invisible characters, quotation marks.
 */
const FORMULA = /^[\s\p{C}'"]*[=+\-@＝＋－＠]|^[\t\r]/u

/** A number of a table, written as it is: it may be negative, and a spreadsheet reads it as a number. */
export interface Figure {
  readonly figure: string
}

/** @param figure digits with a point and a sign at most: `-12.50` @throws RangeError for any other text */
export function figure(text: string): Figure {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new RangeError('A figure of a table is a number')
  return { figure: text }
}

/**
 * A cell of a table with commas (RFC 4180), quoted where it must be. A text that a spreadsheet would take for a formula
 * gets an apostrophe before it, and stays a text.
 */
export function csvCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A row of a table with commas, without the line's end. */
export function csvLine(cells: readonly (string | Figure)[]): string {
  return cells.map(cell => (typeof cell === 'string' ? csvCell(cell) : cell.figure)).join(',')
}

/** A whole file with commas: its rows, the titles first, each with the line's end that RFC 4180 asks for. */
export function csvFile(rows: readonly (readonly (string | Figure)[])[]): string {
  return rows.map(row => `${csvLine(row)}\r\n`).join('')
}
