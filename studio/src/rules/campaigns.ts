import { isCampaignCode, PUBLISHED_PAGES, reservedWords } from '../product.ts'
import type { Verdict } from './texts.ts'

const RESERVED = reservedWords(PUBLISHED_PAGES.map(({ path }) => path))

/** What ends a campaign's link. */
export function codeVerdict(value: unknown): Verdict {
  if (typeof value !== 'string' || value === '') return 'The campaign needs a name: its link ends with it.'
  if (!isCampaignCode(value))
    return 'Letters of the English alphabet, digits and hyphens only, at least two of them.'
  return (
    !RESERVED.has(value.toLowerCase()) || `The site itself uses /${value.toLowerCase()}. Choose another name.`
  )
}

/** @param others the names of all other campaigns, whatever their kind */
export function uniqueCodeVerdict(value: unknown, others: readonly string[]): Verdict {
  const wanted = String(value ?? '').toLowerCase()
  return (
    !others.some(other => other.toLowerCase() === wanted) ||
    'Another campaign has this name already (capitals make no difference).'
  )
}

/** A campaign that runs with nothing to give sends its visitors away. */
export function stockVerdict(stock: unknown, isRunning: unknown): Verdict {
  return (
    stock !== 0 || isRunning !== true || 'It runs with no card to give: visitors are told that all are gone.'
  )
}
