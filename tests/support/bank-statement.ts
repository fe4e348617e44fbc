/** A transfer as a bank lists it on its statement. */
export interface Listed {
  /** The payout's id. */
  readonly id?: string
  /** As the bank writes it: `80.00`. */
  readonly amount: string
  readonly currency?: string
  /** The bank's reference; none where it is empty. */
  readonly reference?: string
  readonly iban?: string | undefined
  readonly status?: string
  /** The booking day. */
  readonly day?: string
  readonly direction?: 'DBIT' | 'CRDT'
  readonly isReversal?: boolean
  /** XML within the transfer's details. */
  readonly more?: string
}

/** One entry of a `camt.053` with one transfer, as most banks book a transfer. */
export function entry({
  id,
  amount,
  currency = 'EUR',
  reference = `REF ${id}`,
  iban,
  status = 'BOOK',
  day = '2026-03-12',
  direction = 'DBIT',
  isReversal = false,
  more = '',
}: Listed): string {
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>
    ${isReversal ? '<RvslInd>true</RvslInd>' : ''}<Sts><Cd>${status}</Cd></Sts>
    <BookgDt><Dt>${day}</Dt></BookgDt>${reference && `<AcctSvcrRef>${reference}</AcctSvcrRef>`}
    <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
    <NtryDtls><TxDtls><Refs>${id === undefined ? '' : `<EndToEndId>${id}</EndToEndId>`}</Refs>
    <Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>
    ${iban === undefined ? '' : `<RltdPties><CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct></RltdPties>`}
    ${more}</TxDtls></NtryDtls></Ntry>`
}

/** A statement of these entries (XML), in the order that the schema of version 08 asks for. */
export function statement(entries: readonly string[], version = '08', id = '2026-071'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-12T20:00:00</CreDtTm></GrpHdr>
  <Stmt><Id>${id}</Id><CreDtTm>2026-03-12T20:00:00</CreDtTm><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
    <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-12</Dt></Dt></Bal>
    ${entries.join('\n')}</Stmt>
</BkToCstmrStmt></Document>`
}
