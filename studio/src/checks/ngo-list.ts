import type { ValidationContext } from 'sanity'
import { DEFAULT_LANGUAGE, SOURCE_LANGUAGE } from '../product.ts'
import {
  consentVerdict,
  emptyRows,
  type ListedNgo,
  type NgoFacts,
  repeatedRows,
  unreviewedVerdict,
} from '../rules/ngo-list.ts'
import { ask, ownId } from './lake.ts'

/** What an organisation is called here, the first that there is. */
const TITLES = [DEFAULT_LANGUAGE, SOURCE_LANGUAGE].map(language => `title.${language}`).join(', ')

/** Two lists of one year would make it chance which of them recipients see. */
export async function checkYear(
  year: number | undefined,
  context: ValidationContext,
): Promise<true | string> {
  if (year === undefined) return true
  const query = 'count(*[_type == "ngoList" && year == $year && _id != $id])'
  const others = await ask<number>(context, query, { year, id: ownId(context) })
  return others === 0 || `There is a list for ${year} already.`
}

/** Rows to point at, and what is wrong with them. */
type Rows = true | { readonly message: string; readonly paths: { readonly _key: string }[][] }

/** Points at each row that repeats an earlier one. */
export const checkRepeats = (rows: unknown): Rows =>
  pointingAt(
    repeatedRows(listed(rows)),
    'This organisation stands on the list already. Remove one of the two.',
  )

/** Points at each row that names nobody. */
export const checkEmptyRows = (rows: unknown): Rows =>
  pointingAt(emptyRows(listed(rows)), 'Choose an organisation here, or remove this row.')

function pointingAt(rows: readonly ListedNgo[], message: string): Rows {
  return rows.length === 0 || { message, paths: rows.map(({ _key }) => [{ _key }]) }
}

/** Consent and review of those on the list. */
export async function checkListedNgos(rows: unknown, context: ValidationContext): Promise<true | string> {
  const ids = listed(rows).flatMap(({ _ref }) => _ref ?? [])
  if (ids.length === 0) return true
  const query = `*[_type == "ngo" && _id in $ids] { "id": _id, "title": coalesce(${TITLES}, _id), "consent": consent.state, reviewedAt }`
  const ngos = await ask<NgoFacts[]>(context, query, { ids })
  const consent = consentVerdict(ngos)
  if (consent !== true) return consent
  return unreviewedVerdict(ngos, context.document?.startedOn as string | undefined)
}

const listed = (rows: unknown): readonly ListedNgo[] => (Array.isArray(rows) ? rows : [])
