import type { Language } from '#domain/languages.ts'
import { isProblem } from '#domain/problems.ts'
import { MESSAGE_SCREEN, stepAround, stepOfMessage } from '#domain/receiver/introductions.ts'
import {
  isVolunteeringScreen,
  MISSION_SCREEN,
  VOLUNTEERING_INTRODUCTIONS,
  type VolunteeringScreen,
  volunteeringStep,
} from '#domain/receiver/volunteering-introductions.ts'
import { getT, type TextKey } from '#i18n/index.ts'
import { volunteeringCardPath } from '#paths'
import type { ContentSnapshot, VolunteeringOrganisation } from '#server/modules/content/snapshot.ts'
import type { StoredMission, Volunteering, VolunteeringView } from '#server/modules/gifts/interface.ts'
import { envelopeOf, messageWords } from './presentation.ts'
import { secondsToWait } from './seconds-until-next-try.ts'

const FIRST: VolunteeringScreen = 'introduction'
const behindFirst = VOLUNTEERING_INTRODUCTIONS[FIRST].next!

export interface InvitationRequest {
  /** The key in the path, whatever it is. */
  readonly giftCardId: string
  /** What follows the key. */
  readonly path: string | undefined
}

export type InvitationAnswer =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'show'; readonly screen: VolunteeringScreen; readonly view: VolunteeringView }
  | { readonly kind: 'message'; readonly view: VolunteeringView }
  | { readonly kind: 'missing'; readonly retryAfterSeconds?: number }

/**
 * Which screen of a volunteering card answers a path (product.md#story): the one asked for, or its introduction. A key
 * that opens none leads to `doesnt-exist`; whoever has tried too many gets that screen whatever was asked for. Reads only.
 */
export async function invitationScreen(
  { volunteering }: { readonly volunteering: Volunteering },
  { giftCardId, path }: InvitationRequest,
): Promise<InvitationAnswer> {
  const [screen = 'introduction'] = (path ?? '').split('/').filter(Boolean)
  let view: VolunteeringView
  try {
    view = await volunteering.open(giftCardId)
  } catch (error) {
    const retryAfterSeconds = secondsToWait(error)
    if (retryAfterSeconds !== undefined) return { kind: 'missing', retryAfterSeconds }
    if (!isProblem(error) || error.code !== 'card-not-found') throw error
    return screen === 'doesnt-exist'
      ? { kind: 'missing' }
      : { kind: 'redirect', to: volunteeringCardPath(giftCardId, 'doesnt-exist') }
  }
  if (screen === MESSAGE_SCREEN && path === screen)
    return view.message === null
      ? { kind: 'redirect', to: volunteeringCardPath(giftCardId, behindFirst) }
      : { kind: 'message', view }
  if (!isVolunteeringScreen(screen) || path !== screen)
    return {
      kind: 'redirect',
      to: volunteeringCardPath(giftCardId, isVolunteeringScreen(screen) ? screen : 'introduction'),
    }
  return { kind: 'show', screen, view }
}

/** What a screen of the invitation says and where it leads, in the visitor's language. */
export function presentInvitation(
  { giftCardId, screen, view }: { giftCardId: string; screen: VolunteeringScreen; view: VolunteeringView },
  snapshot: ContentSnapshot,
  language: Language,
) {
  const t = getT(language)
  const introduction = VOLUNTEERING_INTRODUCTIONS[screen]
  const key = introduction.titleKey
  const mission = missionText(view.mission, snapshot, language)
  const { mission: kept } = view
  const listed = kept.kind === 'listed' ? snapshot.missions.find(({ id }) => id === kept.id) : undefined
  const variant =
    introduction.shows === 'sender' && view.senderName !== null
      ? `${key}-named`
      : introduction.shows === 'mission' && mission === undefined
        ? `${key}-later`
        : key
  return {
    introduction,
    step: view.message === null ? volunteeringStep(screen) : stepAround(volunteeringStep(screen)),
    envelope: introduction.shows === 'sender' ? envelopeOf(view.senderName, false, language) : undefined,
    title: t(variant as TextKey, { name: view.senderName ?? '', mission: mission ?? '' }),
    // In the browser's history and its tabs: the thought of the screen, but neither a name nor what only two know.
    browserTitle: t(
      introduction.shows === 'sender'
        ? 'invitation-heading-anonymous'
        : introduction.shows === 'mission'
          ? 'invitation-answer-title'
          : (key as TextKey),
    ),
    next:
      screen === FIRST && view.message !== null
        ? volunteeringCardPath(giftCardId, MESSAGE_SCREEN)
        : introduction.next && volunteeringCardPath(giftCardId, introduction.next),
    mission: volunteeringCardPath(giftCardId, MISSION_SCREEN),
    /** What the mission of the list is about, while it is on it. */
    about: introduction.shows === 'mission' && listed ? listed.description[language] : undefined,
  }
}

/** The screen of the giver's own words, in the visitor's language; undefined where there are none. */
export function messageOfInvitation(
  giftCardId: string,
  { message, senderName: name }: VolunteeringView,
  contact: string,
  language: Language,
) {
  return (
    message && {
      ...messageWords(message, { name, contact }, language),
      step: stepOfMessage(volunteeringStep(FIRST)),
      next: volunteeringCardPath(giftCardId, behindFirst),
    }
  )
}

/** In the operator's words of today, else of when it was bought; undefined for one that is to be decided. */
export function missionText(
  mission: StoredMission,
  { missions }: Pick<ContentSnapshot, 'missions'>,
  language: Language,
): string | undefined {
  if (mission.kind === 'decide-later') return undefined
  if (mission.kind === 'other') return mission.text
  return (missions.find(({ id }) => id === mission.id)?.title ?? mission.title)[language]
}

/**
 * Where to offer one's time: the mission's own organisation, else all of them. None for a mission in the sender's own
 * words, which is no organisation's.
 */
export function organisationsFor(
  mission: StoredMission,
  { missions, volunteeringOrganisations }: ContentSnapshot,
): readonly VolunteeringOrganisation[] {
  if (mission.kind === 'other') return []
  const listed = mission.kind === 'listed' ? missions.find(({ id }) => id === mission.id) : undefined
  const own = volunteeringOrganisations.filter(({ id }) => id === listed?.organisationId)
  return own.length > 0 ? own : volunteeringOrganisations
}
