import { isSEPACountry } from 'ibantools'
import { decimal } from '#domain/money/money.ts'
import type { PayoutRun, Transfer } from './runs.ts'
import { LONGEST_NAME, sepaText } from './sepa-text.ts'

/** Who pays, and from which account. */
export interface Payer {
  readonly name: string
  readonly iban: string
  readonly bic?: string | null | undefined
}

export interface PainOptions {
  readonly payer: Payer
  /** `YYYY-MM-DD`: when the bank is to pay. */
  readonly on: string
}

/** Can it go in the file for the bank: euros, to an IBAN of the area in which they are transferred alike? */
export function isSepa({ payout, account }: Transfer): boolean {
  return payout.currency === 'EUR' && account.iban !== null && isSEPACountry(account.country)
}

/** More than a transfer of this kind may be (EPC 115-06), minor units. */
const MOST = 99_999_999_999
const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

/**
 * A run as the bank's own file: ISO 20022 `pain.001.001.09`, one SEPA credit transfer for each payout. The message has the
 * run's id and time, and each transfer the payout's id as its EndToEndId, so that the same run is the same file and a bank
 * that has it already refuses it.
 * @param transfers those of the run that can go in it (`isSepa`), at least one
 * @throws RangeError where there is none, or one cannot go in it
 */
export function painOf(
  run: PayoutRun['run'],
  transfers: readonly Transfer[],
  { payer, on }: PainOptions,
): string {
  if (transfers.length === 0) throw new RangeError('A file for the bank has at least one transfer.')
  for (const transfer of transfers)
    if (!isSepa(transfer) || transfer.payout.amount < 1 || transfer.payout.amount > MOST)
      throw new RangeError(`Payout ${transfer.payout.id} is no SEPA credit transfer.`)
  const sum = decimal(transfers.reduce((total, { payout }) => total + payout.amount, 0))
  const count = String(transfers.length)
  const payerName = sepaText(payer.name, LONGEST_NAME)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('Document', { xmlns: NAMESPACE }, [
    tag('CstmrCdtTrfInitn', [
      tag('GrpHdr', [
        tag('MsgId', run.id),
        tag('CreDtTm', new Date(run.created_at).toISOString().slice(0, 19)),
        tag('NbOfTxs', count),
        tag('CtrlSum', sum),
        tag('InitgPty', [tag('Nm', payerName)]),
      ]),
      tag('PmtInf', [
        tag('PmtInfId', run.id),
        tag('PmtMtd', 'TRF'),
        tag('NbOfTxs', count),
        tag('CtrlSum', sum),
        tag('PmtTpInf', [tag('SvcLvl', [tag('Cd', 'SEPA')])]),
        tag('ReqdExctnDt', [tag('Dt', on)]),
        tag('Dbtr', [tag('Nm', payerName)]),
        tag('DbtrAcct', [tag('Id', [tag('IBAN', payer.iban)])]),
        tag('DbtrAgt', [
          tag('FinInstnId', [payer.bic ? tag('BICFI', payer.bic) : tag('Othr', [tag('Id', 'NOTPROVIDED')])]),
        ]),
        tag('ChrgBr', 'SLEV'),
        ...transfers.map(transferOf),
      ]),
    ]),
  ])}\n`
}

function transferOf({ payout, account }: Transfer): string {
  return tag('CdtTrfTxInf', [
    tag('PmtId', [tag('EndToEndId', payout.id)]),
    tag('Amt', [element('InstdAmt', { Ccy: payout.currency }, decimal(payout.amount))]),
    ...(account.bic === null ? [] : [tag('CdtrAgt', [tag('FinInstnId', [tag('BICFI', account.bic)])])]),
    tag('Cdtr', [tag('Nm', sepaText(account.legal_name, LONGEST_NAME))]),
    tag('CdtrAcct', [tag('Id', [tag('IBAN', account.iban ?? '')])]),
    tag('RmtInf', [tag('Ustrd', remittanceOf(payout.id))]),
  ])
}

/** What the organisation reads on its statement. */
export const remittanceOf = (payoutId: string): string => `Gift cards, payout ${payoutId}`

const tag = (name: string, content: string | readonly string[]): string => element(name, {}, content)

/** Texts are escaped; lists are elements already. */
function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly string[],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<${name}${written.join('')}>${typeof content === 'string' ? escaped(content) : content.join('')}</${name}>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
