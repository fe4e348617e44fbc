import { findCampaign } from '#domain/campaign/campaigns.ts'
import type { CardTerm } from '#domain/card/term.ts'
import type { Currency } from '#domain/money/currency.ts'
import { Problem } from '#domain/problems.ts'
import { runningCampaigns } from '#server/modules/content/campaigns.ts'
import type { FreeCampaign } from '#server/modules/content/snapshot.ts'
import type { Themes } from '#server/modules/content/theme-releases.ts'
import { type Claimant, FINISHED, giveToGroup } from '#server/modules/gifts/cards/claim-group.ts'
import { inGroups } from '#server/modules/gifts/cards/in-groups.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { ClaimFree } from '#server/modules/gifts/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'

export interface ClaimTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  readonly log: Log
  /** Asked at each claim: the operator may stop a campaign, or give it more cards. */
  readonly campaigns: () => readonly FreeCampaign[]
  /** For how long the cards of a market wait to be used; the product's own term when missing. */
  readonly termOf?: (currency: Currency) => CardTerm
  /** The themes that a card may have. */
  readonly themes: Pick<Themes, 'claimed'>
  /** Called when a mail has been queued. */
  readonly onQueued?: () => void
  /** Called when a campaign has given its last card. */
  readonly onSoldOut?: () => void
}

export type Claim = (claim: ClaimFree) => Promise<{ readonly key: string }>

/** How many claims one group holds. A group writes each table with one statement. */
const MOST_TOGETHER = 100

/**
 * Gives free cards of the campaign named, once per mailbox ever and never more cards than the campaign's stock
 * (product.md#free-cards). The same press sent again within a day, after a lost answer or at the very same moment, gets
 * the same card. It gives the private key. Problems: invalid-campaign,
 * finished-campaign-offer, email-already-used; invalid-fields for a theme that is not published.
 */
export function createClaim(tools: ClaimTools): Claim {
  // Each campaign has one group at a time, so that claims on one server do not wait for the campaign's row.
  const queues = new Map<string, (claimant: Claimant) => Promise<string | Problem>>()
  const queueOf = (tag: string) => {
    const queue =
      queues.get(tag) ?? inGroups<Claimant, string | Problem>(MOST_TOGETHER, group => give(tools, tag, group))
    queues.set(tag, queue)
    return queue
  }
  return async claim => {
    const campaign = campaignOf(tools.campaigns(), claim.campaignCode)
    if (!campaign) throw new Problem('invalid-campaign')
    const themeId = await tools.themes.claimed(claim.themeId)
    const answer = await queueOf(campaign.tag)({
      claim: { ...claim, themeId },
      addressDigest: digestOfAddress(tools.keys, claim),
      attemptDigest: claim.attemptKey === undefined ? null : tools.keys.digest(claim.attemptKey),
    })
    if (typeof answer !== 'string') throw answer
    return { key: answer }
  }
}

/** Serves a group, and tells the operator when it took the campaign's last card. */
async function give(
  tools: ClaimTools,
  tag: string,
  group: readonly Claimant[],
): Promise<readonly (string | Problem)[]> {
  const campaign = campaignOf(tools.campaigns(), tag)
  if (!campaign) return group.map(() => new Problem('invalid-campaign'))
  const { answers, claimed } = await giveToGroup(tools, campaign, group)
  if (claimed !== undefined) tools.onQueued?.()
  if (claimed === campaign.stock) {
    tools.onSoldOut?.()
    const last = new Error('the last card of a free campaign is given')
    tools.log.error(FINISHED, last, { campaign: campaign.tag, stock: campaign.stock })
  }
  return answers
}

/** The running campaign of this tag, in whatever case an app has handed it on. */
function campaignOf(campaigns: readonly FreeCampaign[], code: string): FreeCampaign | undefined {
  const running = runningCampaigns({ adCampaigns: [], freeCampaigns: campaigns })
  const found = findCampaign(code, running)
  return found && campaigns.find(({ tag }) => tag === found.code)
}

/** The word before keeps it from being the digest of anything else. */
function digestOfAddress(keys: CardKeys, { address }: ClaimFree): string {
  return keys.keyedDigest(`free card of ${address.folded}`)
}
