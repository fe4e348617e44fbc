import { parse } from 'csv-parse/sync'
import {
  type ListRecord,
  LONGEST_LIST,
  MOST_OF_MANY,
  type ReadList,
  readRows,
} from '#domain/card/gift-rows.ts'

/** Whoever sends more gets to know of the first of them; that there are too many is said all the same. */
const MOST_READ = 2 * MOST_OF_MANY
const SEPARATORS = ['\t', ';', ','] as const

/**
 * Reads a list that was typed, pasted or sent as a file: a name and a text in each line, with tabs, semicolons or commas
 * between, quoted or not.
 */
export function readGiftList(typed: string): ReadList {
  // Reading takes time for every letter, and nobody can buy by a list like that.
  if (typed.length > LONGEST_LIST) return { rows: [], bad: [], isTooLong: true }
  const text = typed.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return readRows(recordsOf(text, separatorOf(text)))
}

/** A file's text: UTF-8, UTF-16 with its mark, or what spreadsheets in Western Europe write. */
export function decodeList(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The separator that stands in most lines: a comma within a name or a text stands in some. */
function separatorOf(text: string): string {
  const lines = text.split('\n', MOST_READ)
  const counted = SEPARATORS.map(each => lines.filter(line => line.includes(each)).length)
  return SEPARATORS[counted.indexOf(Math.max(...counted))]!
}

function recordsOf(text: string, delimiter: string): readonly ListRecord[] {
  try {
    return parsed(text, delimiter, 'well-formed')
  } catch {
    // A quote that is not closed would take the lines that follow: read one by one, only its own line is bad.
    return text.split('\n', MOST_READ).flatMap((line, n): readonly ListRecord[] => {
      try {
        return parsed(line, delimiter, 'as-typed').map(record => ({ ...record, line: n + 1 }))
      } catch {
        return [{ line: n + 1, cells: undefined, text: line }]
      }
    })
  }
}

interface Parsed {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
  readonly raw: string
}

/**
 * @param quotes as a program writes them, or as somebody types: then one within a cell is a letter like any other
 * @throws CsvError where they are not so, or one is not closed
 */
function parsed(text: string, delimiter: string, quotes: 'well-formed' | 'as-typed'): readonly ListRecord[] {
  const records = parse(text, {
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: quotes === 'as-typed',
    skip_empty_lines: true,
    info: true,
    raw: true,
    to: MOST_READ,
  }) as unknown as readonly Parsed[]
  return records.map(({ record, info, raw }) => ({
    // The reader says where a record ends; a quoted cell may be of several lines.
    line: info.lines - (record.join('').split('\n').length - 1),
    cells: record,
    text: raw.replace(/^\n+|\n$/g, ''),
  }))
}
