import { isMailAddress } from '../mail/address.ts'
import { cleanLine } from '../text/clean-line.ts'

/** The fields of the form by which a buyer states a withdrawal, as the form calls them. */
export const STATEMENT_FIELDS = ['name', 'email', 'order'] as const

export type StatementField = (typeof STATEMENT_FIELDS)[number]

/** The longest text of each that is taken, in characters (code points). */
export const STATEMENT_LENGTHS = { name: 120, email: 254, order: 64 } as const satisfies Record<
  StatementField,
  number
>

/** The fields of the form, each as one clean line; '' for a field that is missing. */
export type WrittenStatement = Readonly<Record<StatementField, string>>

/** Reads a form. @param field what was sent under a name */
export function readStatement(field: (name: StatementField) => string | null | undefined): WrittenStatement {
  const read = (name: StatementField) => cleanLine(field(name) ?? '', STATEMENT_LENGTHS[name])
  return { name: read('name'), email: read('email'), order: read('order') }
}

/** The fields that must be corrected before a statement is accepted. An order need not be named. */
export function faultsIn({ name, email }: WrittenStatement): readonly Exclude<StatementField, 'order'>[] {
  return [...(name === '' ? (['name'] as const) : []), ...(isMailAddress(email) ? [] : (['email'] as const))]
}
