import type { ValidationContext } from 'sanity'
import { packageIdVerdict, uniquePackageIdVerdict } from '../rules/packages.ts'
import { ask, ownId } from './lake.ts'

/** The name that a package is sold under: well-formed, and no other package's. */
export async function checkPackageId(value: unknown, context: ValidationContext): Promise<true | string> {
  const verdict = packageIdVerdict(value)
  if (verdict !== true) return verdict
  const query = '*[_type in ["giftPackage", "invitationPackage"] && _id != $id].code'
  return uniquePackageIdVerdict(value, await ask<string[]>(context, query, { id: ownId(context) }))
}
