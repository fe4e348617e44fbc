import { describe, expect, it } from 'vitest'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import type { StoredMission } from '#server/modules/gifts/interface.ts'
import { organisationsFor } from '#server/modules/story/invitation.ts'
import { inLanguages } from '#tests/builders/domain.ts'

const words = inLanguages({ es: 'es', en: 'en', fr: 'fr' })
const organisation = (id: string) => ({ id, title: words, description: words, links: words })
const mission = (id: string, organisationId: string | null) => ({
  id,
  title: words,
  description: words,
  organisationId,
})
const snapshot = {
  missions: [mission('mission-medical', 'org-msf'), mission('mission-any', null)],
  volunteeringOrganisations: [organisation('org-msf'), organisation('org-unv')],
} as unknown as ContentSnapshot

describe('where to offer one’s time', () => {
  it.each<[string, StoredMission, string[]]>([
    [
      'the organisation of a mission of ours',
      { kind: 'listed', id: 'mission-medical', title: words },
      ['org-msf'],
    ],
    [
      'all of them for one without',
      { kind: 'listed', id: 'mission-any', title: words },
      ['org-msf', 'org-unv'],
    ],
    [
      'all of them for one that was taken down',
      { kind: 'listed', id: 'mission-gone', title: words },
      ['org-msf', 'org-unv'],
    ],
    ['all of them where nothing is decided yet', { kind: 'decide-later' }, ['org-msf', 'org-unv']],
    [
      'nobody for a mission in the sender’s own words',
      { kind: 'other', text: 'A Saturday at our kitchen' },
      [],
    ],
  ])('is %s', (_, stored, ids) => {
    expect(organisationsFor(stored, snapshot).map(({ id }) => id)).toEqual(ids)
  })
})
