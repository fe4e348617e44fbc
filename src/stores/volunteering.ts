import type { Currency } from '#domain/money/currency.ts'
import { type Quote, quoteVolunteering } from '#domain/pricing/quote.ts'
import { firstMissingStep, type SenderScreen } from '#domain/sender/flow.ts'
import { cleanSenderName } from '#domain/sender/sender-name.ts'
import { SLIDER_END } from '#domain/support/slider.ts'
import { cleanMission, type Mission, type MissionChoice, readMission } from '#domain/volunteering/mission.ts'
import { INAUGURATION_PACKAGE, type VolunteeringPackageId } from '#domain/volunteering/package.ts'
import { persisted } from './persisted.ts'
import { supportAt } from './price.ts'

/** What a buyer has chosen for an invitation, as the browser remembers it. */

const NO_MISSION: MissionChoice = { text: '' }

export const $mission = persisted<MissionChoice>('gift:mission', NO_MISSION, {
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
export const $volunteeringSender = persisted<string>('gift:volunteering-sender', '', {
  read: cleanSenderName,
  write: name => name || undefined,
})

/** Where the support slider stands, 0 to 100; undefined until the visitor has continued past it. */
export const $volunteeringSupport = persisted<number | undefined>('gift:volunteering-support', undefined, {
  read: text => {
    const position = Number(text)
    return /^\d{1,3}$/.test(text) && position <= SLIDER_END ? position : undefined
  },
  write: position => (position === undefined ? undefined : String(position)),
})

/** The mission chosen, or undefined while the choice is not complete. @param listedIds the operator's missions */
export function chosenMission(listedIds: readonly string[]): Mission | undefined {
  return readMission($mission.get(), listedIds)
}

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
