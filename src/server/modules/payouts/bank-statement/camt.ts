import { SaxesParser, type SaxesTagNS } from 'saxes'
import { type BankEntry, ibanOf, lineOf, minorOf, referenceOf, StatementRefused } from './entry.ts'
import { namesOfStatement } from './naming.ts'

/** Of 2009 (02) to those that are still to come. */
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d$/
/** The schema needs less than half of it. */
const DEEPEST = 40
const MOST_ENTRIES = 100_000

/** An element of an entry, with what stands in it. */
interface Node {
  readonly name: string
  readonly attributes: SaxesTagNS['attributes']
  readonly children: Node[]
  text: string
}

/**
 * The transfers of a bank's statement as ISO 20022 `camt.053.001.NN` has them. One entry at a time is held in memory. A
 * document type is refused, and with it every entity but XML's own five.
 * @param chunks the text of the file, in pieces
 * @throws StatementRefused where it is no such file
 */
export async function readCamt(chunks: AsyncIterable<string>): Promise<readonly BankEntry[]> {
  const parser = new SaxesParser({ xmlns: true })
  const entries: BankEntry[] = []
  const path: string[] = []
  /** From the entry that is open to the element that is. */
  let open: Node[] = []
  let statement = ''
  let count = 0
  let nameEntry = namesOfStatement()

  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && encoding.toUpperCase() !== 'UTF-8')
      throw new StatementRefused(`The file is in ${encoding}. Ask the bank for UTF-8.`)
  })
  parser.on('doctype', () => {
    throw new StatementRefused('The file declares a document type, which no bank does. It was not read.')
  })
  parser.on('opentag', tag => {
    if (path.length === 0 && (tag.local !== 'Document' || !NAMESPACE.test(tag.uri)))
      throw new StatementRefused('The file is XML, but no camt.053: a bank’s statement of booked entries.')
    path.push(tag.local)
    if (path.length > DEEPEST) throw new StatementRefused('The file nests deeper than any statement.')
    if (path.join('/') === STATEMENT) {
      statement = ''
      count = 0
      nameEntry = namesOfStatement()
    }
    if (open.length === 0 && path.join('/') !== `${STATEMENT}/Ntry`) return
    const node: Node = { name: tag.local, attributes: tag.attributes, children: [], text: '' }
    open.at(-1)?.children.push(node)
    open.push(node)
  })
  const onText = (text: string) => {
    const node = open.at(-1)
    if (node) node.text += text
    else if (path.join('/') === `${STATEMENT}/Id`) statement += text
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', () => {
    path.pop()
    const node = open.pop()
    if (node === undefined || open.length > 0) return
    count++
    entries.push(...entriesOf(node, `${lineOf(statement)} #${count}`, nameEntry))
    if (entries.length > MOST_ENTRIES)
      throw new StatementRefused('The file has more entries than a statement.')
    open = []
  })

  try {
    for await (const chunk of chunks) parser.write(chunk)
    parser.close()
  } catch (error) {
    if (error instanceof StatementRefused) throw error
    throw new StatementRefused(`The file is not well-formed XML: ${(error as Error).message}`)
  }
  return entries
}

const STATEMENT = 'Document/BkToCstmrStmt/Stmt'

/** @param place the number of the entry in its statement */
function entriesOf(
  entry: Node,
  place: string,
  nameEntry: ReturnType<typeof namesOfStatement>,
): readonly BankEntry[] {
  const servicer = textAt(entry, 'AcctSvcrRef') ?? ''
  const ofItself = textAt(entry, 'NtryRef') ?? ''
  const bookedOn = dayOf(entry)
  // Some banks number the entries of each statement in `NtryRef`, from one on.
  const numbered = referenceOf(ofItself) && [referenceOf(ofItself), bookedOn].filter(Boolean).join(' ')
  const ofEntry = referenceOf(servicer) || numbered
  const earlier = lineOf(servicer) || lineOf(ofItself) || place
  const nameOf = nameEntry(place)
  const details = all(entry, 'NtryDtls')
  const transfers = details.flatMap(each => all(each, 'TxDtls'))
  const whole = {
    isBooked: (textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')) === 'BOOK',
    bookedOn,
    isReturn: ['true', '1'].includes(textAt(entry, 'RvslInd') ?? ''),
    isOut: textAt(entry, 'CdtDbtInd') === 'DBIT',
    ...amountOf(at(entry, 'Amt')),
  }
  if (transfers.length === 0) {
    const batchId = details.map(each => textAt(each, 'Btch', 'PmtInfId')).find(Boolean) ?? null
    const named = nameOf({ ...whole, reference: ofEntry, ofEntry, endToEndId: null })
    return [
      {
        ...whole,
        ...named,
        earlierReference: otherThan(named.reference, earlier),
        endToEndId: null,
        batchId,
        iban: null,
      },
    ]
  }
  return transfers.map(each => {
    const own = textAt(each, 'Refs', 'AcctSvcrRef') ?? ''
    const direction = textAt(each, 'CdtDbtInd')
    // What was ordered comes first: beside it stands what the bank made of it in the account's currency.
    const amount = [
      at(each, 'AmtDtls', 'InstdAmt', 'Amt'),
      at(each, 'Amt'),
      at(each, 'AmtDtls', 'TxAmt', 'Amt'),
      ...(transfers.length === 1 ? [at(entry, 'Amt')] : []),
    ].find(found => found !== undefined)
    const sum = amountOf(amount)
    const endToEndId = textAt(each, 'Refs', 'EndToEndId') ?? null
    const reference = referenceOf(own) || ofEntry
    const named = nameOf({ ...sum, reference, ofEntry, bookedOn, endToEndId })
    return {
      ...whole,
      ...sum,
      ...named,
      earlierReference: otherThan(named.reference, lineOf(own) || earlier),
      endToEndId,
      batchId: null,
      isOut: direction === undefined ? whole.isOut : direction === 'DBIT',
      isReturn: whole.isReturn || at(each, 'RtrInf') !== undefined,
      iban: ibanOf(textAt(each, 'RltdPties', 'CdtrAcct', 'Id', 'IBAN')),
    }
  })
}

const otherThan = (reference: string, earlier: string): string | null =>
  earlier === reference ? null : earlier

/** The booking day of an entry, whether the bank says its hour or not. */
function dayOf(entry: Node): string | null {
  const said = textAt(entry, 'BookgDt', 'Dt') ?? textAt(entry, 'BookgDt', 'DtTm')
  const day = said?.slice(0, 10) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(day) ? day : null
}

function amountOf(node: Node | undefined): Pick<BankEntry, 'amount' | 'currency'> {
  return {
    amount: node === undefined ? null : minorOf(node.text.trim()),
    currency: node?.attributes.Ccy?.value ?? '',
  }
}

const all = (node: Node, name: string): readonly Node[] => node.children.filter(each => each.name === name)

function at(node: Node, ...names: readonly string[]): Node | undefined {
  let found: Node | undefined = node
  for (const name of names) found = found?.children.find(each => each.name === name)
  return found
}

function textAt(node: Node, ...names: readonly string[]): string | undefined {
  return at(node, ...names)?.text.trim() || undefined
}
