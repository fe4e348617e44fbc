import type { Expression, SqlBool } from 'kysely'
import { isOneOf } from '#server/platform/db/same-address.ts'

/**
 * The cards of either kind that were bought with an address, whatever the case of its letters. A condition on their tables.
 * @param address null finds none
 */
export const boughtWith = (address: string | null): Expression<SqlBool> =>
  isOneOf('email', address === null ? [] : [address])
