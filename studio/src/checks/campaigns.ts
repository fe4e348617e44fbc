import type { ValidationContext } from 'sanity'
import { codeVerdict, uniqueCodeVerdict } from '../rules/campaigns.ts'
import { ask, ownId } from './lake.ts'

/** The name of a campaign: well-formed, free, and not a word that the site uses itself. */
export async function checkCampaignCode(value: unknown, context: ValidationContext): Promise<true | string> {
  const verdict = codeVerdict(value)
  if (verdict !== true) return verdict
  const query =
    '*[_type in ["adCampaign", "freeCampaign"] && _id != $id] { "name": coalesce(code, tag) }.name'
  return uniqueCodeVerdict(value, await ask<string[]>(context, query, { id: ownId(context) }))
}
