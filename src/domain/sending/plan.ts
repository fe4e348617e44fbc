import { type AddressFault, type ClaimAddress, readClaimAddress } from '../campaign/claim-address.ts'
import { readZone } from '../zones.ts'
import { isSendingDay, type SendingTime, sendingDays } from './sending.ts'

/** What a giver asks for: to whom the gift's link goes, and when. */
export interface SendingPlan extends SendingTime {
  /** undefined: to the address that was asked for before. */
  readonly to: ClaimAddress | undefined
}

/** The fields of the form, in the order in which they stand. */
export const SENDING_FIELDS = ['address', 'day', 'zone'] as const
export type SendingField = (typeof SENDING_FIELDS)[number]

/** The days that can be chosen, as a form says them before it knows the zone. */
export interface OfferedDays {
  /** The first that can be chosen in some zone, and the last. */
  readonly first: string
  readonly last: string
  /** The last that can be chosen in every zone. */
  readonly lastEverywhere: string
}

/**
 * The days that can be chosen now, whatever the zone.
 * @param now epoch ms UTC
 * @param lastDay of the gift, in Madrid; undefined where it is never given away
 */
export function daysAnywhere(now: number, lastDay: string | undefined): OfferedDays {
  const { first, last: lastEverywhere } = sendingDays('Etc/GMT+12', now, lastDay)
  return { first, last: sendingDays('Etc/GMT-14', now, lastDay).last, lastEverywhere }
}

/** What is wrong with a field: the address wants no gifts by mail, a zone that is none, or a day that cannot be chosen. */
export type SendingFault = AddressFault | 'unwanted' | 'day' | 'zone'

export type SendingFaults = Readonly<Partial<Record<SendingField, SendingFault>>>

/**
 * Reads what a giver typed, or says what is wrong with it.
 * @param now epoch ms UTC
 * @param lastDay of the gift, in Madrid; undefined where it is never given away
 * @param hasAddress it is planned already: an address that is left empty stays as it is
 */
export function readSendingPlan(
  typed: Readonly<Record<SendingField, string>>,
  now: number,
  lastDay: string | undefined,
  hasAddress = false,
): SendingPlan | { readonly faults: SendingFaults } {
  const keeps = hasAddress && typed.address.trim() === ''
  const to = keeps ? undefined : readClaimAddress(typed.address)
  const zone = readZone(typed.zone)
  const day = typed.day.trim()
  const canBeChosen = zone !== undefined && isSendingDay({ day, zone }, now, lastDay)
  if (typeof to !== 'string' && canBeChosen) return { to, day, zone }
  return {
    faults: {
      ...(typeof to === 'string' && { address: to }),
      ...(zone === undefined ? { zone: 'zone' as const } : !canBeChosen && { day: 'day' as const }),
    },
  }
}
