import type { Currency } from '#domain/money/currency.ts'
import { type Quote, quoteVolunteering } from '#domain/pricing/quote.ts'
import { firstMissingStep, type SenderScreen } from '#domain/sender/flow.ts'
import { cleanSenderName } from '#domain/sender/sender-name.ts'
import { cleanMission, type MissionChoice, readMission } from '#domain/volunteering/mission.ts'
import { INAUGURATION_PACKAGE, type VolunteeringPackageId } from '#domain/volunteering/package.ts'
import { MISSION_KEY, VOLUNTEERING_SENDER_KEY, VOLUNTEERING_SUPPORT_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'
import { supportAt } from './price.ts'
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

/** What the invitation costs with the slider there, and where it goes. */
export function invitationPrice(position: number, currency: Currency): Quote<VolunteeringPackageId> {
  const { packageId, ngoAmount } = INAUGURATION_PACKAGE
  return quoteVolunteering({
    packageId,
    ngoAmount,
    supportAmount: supportAt(INAUGURATION_PACKAGE, position),
    currency,
  })
}
