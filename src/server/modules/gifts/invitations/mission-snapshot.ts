import { perLanguage, SOURCE_LANGUAGE } from '#domain/languages.ts'
import { Problem } from '#domain/problems.ts'
import type { Mission } from '#domain/volunteering/mission.ts'
import type { Mission as ListedMission } from '#server/modules/content/snapshot.ts'
import type { StoredMission } from '#server/modules/gifts/interface.ts'

/**
 * The mission as an invitation keeps it from its purchase. A text of the sender's own that equals an id names that
 * mission.
 * @throws Problem mission-not-listed for one that the operator has taken down
 */
export function keptMission(asked: Mission, listed: readonly ListedMission[]): StoredMission {
  if (asked.kind === 'decide-later') return asked
  const found = listed.find(({ id }) => id === (asked.kind === 'listed' ? asked.id : asked.text))
  if (found) return { kind: 'listed', id: found.id, title: found.title }
  if (asked.kind === 'listed') throw new Problem('mission-not-listed')
  return asked
}

/**
 * Reads what `keptMission` made; the row holds it as JSON. A language that the product has learned since has no name
 * for the mission there: the source language's stands for it.
 */
export function readKeptMission(text: string): StoredMission {
  const mission = JSON.parse(text) as StoredMission
  if (mission.kind !== 'listed') return mission
  const { title } = mission
  return { ...mission, title: perLanguage(language => title[language] ?? title[SOURCE_LANGUAGE]) }
}
