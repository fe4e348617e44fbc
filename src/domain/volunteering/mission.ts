import { cleanLine } from '../text/clean-line.ts'

/** What a volunteering card invites to. A text of the sender's own is never empty and is already cleaned. */
export type Mission =
  | { readonly kind: 'decide-later' }
  /** One of the operator's missions. */
  | { readonly kind: 'listed'; readonly id: string }
  | { readonly kind: 'other'; readonly text: string }

/** The longest mission of a sender's own, in code points. */
export const MISSION_LENGTH = 200

/** One clean line of at most 200 characters; '' when nothing visible is left. */
export function cleanMission(text: string): string {
  return cleanLine(text, MISSION_LENGTH)
}

/** The ids of the operator's missions: words with hyphens after `mission-`, or an id that the Studio made. */
const ID_SHAPE = /^(?:mission-[a-z0-9-]{1,56}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Could this text only be meant as an operator's mission? Nobody writes an invitation so. */
export function isMissionId(text: string): boolean {
  return ID_SHAPE.test(text)
}

/** What stands on the mission screen: an option once chosen, and the text, which stays when the option changes. */
export interface MissionChoice {
  readonly kind?: Mission['kind']
  readonly id?: string
  readonly text: string
}

/**
 * The mission that a choice makes, or undefined while it is not complete: nothing chosen, a text of one's own
 * without a visible character or that is an id, or a mission that the operator has taken down since.
 */
export function readMission(
  { kind, id, text }: MissionChoice,
  listedIds: readonly string[],
): Mission | undefined {
  if (kind === 'decide-later') return { kind }
  if (kind === 'listed') return id !== undefined && listedIds.includes(id) ? { kind, id } : undefined
  if (kind !== 'other') return undefined
  const cleaned = cleanMission(text)
  return cleaned === '' || listedIds.includes(cleaned) || isMissionId(cleaned)
    ? undefined
    : { kind, text: cleaned }
}
