import { MOST_MESSAGE } from '../sender/message.ts'
import { readPlainWords, type WordsRule } from '../text/plain-words.ts'

/** The fewest and the most cards of an order of many. */
export const FEWEST_OF_MANY = 2
export const MOST_OF_MANY = 500

/** The longest name of a recipient, in code points: as long as a sender's. */
const RECIPIENT_NAME_LENGTH = 80

/** As long as a list of the most cards is with the longest names and texts, in UTF-16 units. */
export const LONGEST_LIST = 2 * MOST_OF_MANY * (RECIPIENT_NAME_LENGTH + MOST_MESSAGE + 20)

/** What the giver of many cards says of one of them. */
export interface GiftRow {
  /** The recipient's name, which stands on paper and on no page; null without one. */
  readonly name: string | null
  /** The giver's own words to that recipient; null where the words of the whole order hold. */
  readonly words: string | null
}

/** How long the names of recipients are kept once they were printed, in days. */
export const PRINTED_NAMES_KEPT_DAYS = 30

/** A record of a list, as a reader of tables gives it. */
export interface ListRecord {
  /** Where it begins, from 1 on. */
  readonly line: number
  /** Undefined where a quote is opened and not closed. */
  readonly cells: readonly string[] | undefined
  /** As it was typed. */
  readonly text: string
}

/** Why a line cannot be taken: too many columns, a quote that is not closed, or what is said in it. */
export type RowFault = 'columns' | 'quotes' | `name-${WordsRule}` | `words-${WordsRule}`

/** A line that has to be written otherwise. */
export interface BadRow extends Pick<ListRecord, 'line' | 'text'> {
  readonly fault: RowFault
}

/** A list as it was understood: what is good of it, in its order, and every line that is not. */
export interface ReadList {
  readonly rows: readonly GiftRow[]
  readonly bad: readonly BadRow[]
  /** It is longer than a list of the most cards can be, and was not read. */
  readonly isTooLong?: true
}

/** What the two columns are called in the first line of a table, in the languages of the site. */
const NAMES = [
  'nombre',
  'nombres',
  'destinatario',
  'name',
  'names',
  'recipient',
  'nom',
  'noms',
  'destinataire',
]
const WORDS = ['texto', 'textos', 'mensaje', 'text', 'texts', 'message', 'messages', 'texte', 'textes']

/**
 * Reads who many cards are for: a name and a text of its own for each, both optional. A first line that names the columns
 * says their order, and is no card; records without a word are no cards either.
 */
export function readRows(records: readonly ListRecord[]): ReadList {
  const rows: GiftRow[] = []
  const bad: BadRow[] = []
  const [first] = records
  const header = first && headerOf(first.cells)
  for (const { line, cells, text } of header ? records.slice(1) : records) {
    const row = cells === undefined ? 'quotes' : readRow(cells, header === 'words-first')
    if (row === null) continue
    if (typeof row === 'string') bad.push({ line, text, fault: row })
    else rows.push(row)
  }
  return { rows, bad }
}

/** The row of a record, null where it says nothing, or why it cannot be one. */
function readRow(record: readonly string[], isWordsFirst: boolean): GiftRow | RowFault | null {
  const cells = record.slice(0, record.findLastIndex(cell => cell.trim() !== '') + 1)
  if (cells.length === 0) return null
  if (cells.length > 2) return 'columns'
  const [typedName = '', typedWords = ''] = isWordsFirst ? [cells[1], cells[0]] : cells
  const name = readPlainWords(typedName, RECIPIENT_NAME_LENGTH)
  if ('rule' in name) return `name-${name.rule}`
  const words = readPlainWords(typedWords, MOST_MESSAGE)
  if ('rule' in words) return `words-${words.rule}`
  return name.words === null && words.words === null ? null : { name: name.words, words: words.words }
}

function headerOf(cells: readonly string[] | undefined): 'name-first' | 'words-first' | undefined {
  const said = cells?.map(cell => cell.trim().toLowerCase()).filter(cell => cell !== '') ?? []
  const [first = ''] = said
  if (said.length === 0 || !said.every(cell => NAMES.includes(cell) || WORDS.includes(cell))) return undefined
  return WORDS.includes(first) ? 'words-first' : 'name-first'
}
