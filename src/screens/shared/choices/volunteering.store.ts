import type { Currency } from '#domain/money/currency.ts'
import { briefEntry } from '#domain/pricing/offer.ts'
import type { PricingEntry } from '#domain/pricing/strategies.ts'
import { firstMissingStep, type SenderScreen } from '#domain/sender/flow.ts'
import { cleanSenderName } from '#domain/sender/sender-name.ts'
import { cleanMission, type MissionChoice, readMission } from '#domain/volunteering/mission.ts'
import { MISSION_KEY, VOLUNTEERING_SENDER_KEY, VOLUNTEERING_SUPPORT_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'
import { $invitationPrices, type ShownPrices } from './shown-prices.store.ts'
import { POSITION } from './support.store.ts'

/** What a buyer has chosen for an invitation: an order of its tab, as a gift card's is. */

const NO_MISSION: MissionChoice = { text: '' }

/** What the invitation is to. */
export const $mission = choice<MissionChoice>(MISSION_KEY, NO_MISSION, {
  read: text => {
    try {
      const { kind, id, text: own } = JSON.parse(text) as Record<string, unknown>
      const known = kind === 'decide-later' || kind === 'listed' || kind === 'other' ? { kind } : {}
      return {
        ...known,
        ...(typeof id === 'string' && { id }),
        text: typeof own === 'string' ? cleanMission(own) : '',
      } as MissionChoice
    } catch {
      return undefined
    }
  },
  write: choice => JSON.stringify(choice),
})

/** The name on the invitation; '' until it is typed. */
export const $volunteeringSender = choice<string>(VOLUNTEERING_SENDER_KEY, '', {
  read: cleanSenderName,
  write: name => name || undefined,
})

/** Where the support slider stands, 0 to 100; undefined until the visitor has continued past it. */
export const $volunteeringSupport = choice<number | undefined>(VOLUNTEERING_SUPPORT_KEY, undefined, POSITION)

/** The first earlier screen without its choice. Which missions there are the mission's own screen knows. */
export function missingVolunteeringStep(screen: SenderScreen): SenderScreen | undefined {
  const mission = $mission.get()
  return firstMissingStep(
    screen,
    {
      mission: readMission(mission, mission.id === undefined ? [] : [mission.id]),
      volunteeringSender: cleanSenderName($volunteeringSender.get()) || undefined,
      volunteeringSupport: $volunteeringSupport.get(),
    },
    'volunteering',
  )
}

/** What the invitation costs: as it was shown when it was chosen, else as the page has it. */
export function invitationEntry(listed: ShownPrices, currency: Currency): PricingEntry {
  const { id, prices } = $invitationPrices.get() ?? listed
  return briefEntry(prices, id, currency)
}
