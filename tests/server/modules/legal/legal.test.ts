import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ContentSnapshot, OperatorIdentity } from '#server/modules/content/snapshot.ts'
import { createLegal, type LegalRoom } from '#server/modules/legal/legal.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type FakeClock, fakeClock } from '#tests/support/fake-clock.ts'

const MINUTE = 60_000
const OPERATOR: OperatorIdentity = {
  legalName: 'Association of the tests',
  legalForm: inLanguages({ es: 'Asociación', en: 'Association', fr: 'Association' }),
  taxNumber: 'G1',
  register: inLanguages({ es: 'Registro', en: 'Register', fr: 'Registre' }),
  seat: 'A street 1',
  secondContact: '+34 910 000 000',
  supervisor: inLanguages({ es: '', en: '', fr: '' }),
  host: 'A host',
}

type Texts = Pick<ContentSnapshot, 'operator' | 'legalTexts'>
const textOf = (words: string) =>
  inLanguages({ es: `<p>${words}</p>`, en: `<p>${words}</p>`, fr: `<p>${words}</p>` })
const termsOf = (words: string): Texts => ({
  operator: OPERATOR,
  legalTexts: { 'legal-notice': textOf('notice'), terms: textOf(words), privacy: null },
})

let test: TestDatabase
let clock: FakeClock
let content: Texts
let legal: LegalRoom
const failures: string[] = []
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  content = termsOf('first')
  legal = open()
})
afterEach(() => test.close())

/** As a server that starts with this content. */
function open(published: () => Texts = () => content): LegalRoom {
  const log = { info() {}, error: (event: string) => void failures.push(event) }
  return createLegal({ db: test.db, clock, log, content: () => published() as ContentSnapshot })
}

const accept = (version: string, room = legal) => test.db.transaction(trx => room.terms.accept(trx, version))

/** What came is written down, as when it is published. */
async function publish(next: Texts): Promise<string> {
  content = next
  await legal.keep()
  return legal.inForce('terms')?.version ?? ''
}

describe('the terms that a buyer accepts', () => {
  it('are the ones in force, also where they were never written down before', async () => {
    const { version } = legal.inForce('terms')!
    await accept(version)
    expect(await legal.read('terms', version)).toMatchObject({ operator: OPERATOR, since: clock() })
  })

  it('are for another hour those that were in force before', async () => {
    const before = await publish(termsOf('first'))
    clock.advance(600 * MINUTE)
    const now = await publish(termsOf('second'))
    expect(now).not.toBe(before)
    clock.advance(59 * MINUTE)
    await accept(before)
    clock.advance(2 * MINUTE)
    await expect(accept(before)).rejects.toMatchObject({ code: 'terms-changed', status: 409 })
    await accept(now)
  })

  it('are taken by a server that has not heard of the newest ones', async () => {
    const late = open(() => termsOf('first'))
    await publish(termsOf('first'))
    clock.advance(MINUTE)
    const newest = await publish(termsOf('second'))
    await accept(newest, late)
  })

  it('are not brought back by a server that has not heard of the newest ones', async () => {
    const before = await publish(termsOf('first'))
    const late = open(() => termsOf('first'))
    clock.advance(MINUTE)
    const now = await publish(termsOf('second'))
    clock.advance(59 * MINUTE)
    await accept(before, late)
    clock.advance(2 * MINUTE)
    await expect(accept(before)).rejects.toMatchObject({ code: 'terms-changed' })
    await accept(now, late)
  })

  it('change with whoever runs the site', async () => {
    const before = await publish(termsOf('first'))
    const after = await publish({ ...termsOf('first'), operator: { ...OPERATOR, seat: 'A street 2' } })
    expect(after).not.toBe(before)
  })

  it('cannot be accepted while there are none, or nobody says who runs the site', async () => {
    const version = await publish(termsOf('first'))
    content = { operator: OPERATOR, legalTexts: { ...content.legalTexts, terms: null } }
    await expect(accept(version)).rejects.toMatchObject({ code: 'terms-missing', status: 503 })
    content = { ...termsOf('first'), operator: null }
    await expect(accept(version)).rejects.toMatchObject({ code: 'terms-missing' })
  })

  it('cannot be of a version that nobody published', async () => {
    await publish(termsOf('first'))
    await expect(accept('00000000000000000000')).rejects.toMatchObject({ code: 'terms-changed' })
  })
})

describe('versions', () => {
  it('are written down once, however many servers start with them', async () => {
    await Promise.all([legal.keep(), open().keep(), open().keep()])
    const kept = await test.db.read(db =>
      db.selectFrom('legal_releases').select(['page', 'version']).orderBy('page').execute(),
    )
    expect(kept.map(({ page }) => page)).toEqual(['legal-notice', 'terms'])
    expect(failures).toEqual([])
  })

  it('can be read for ever, as they were, and none else', async () => {
    const before = await publish(termsOf('first'))
    clock.advance(MINUTE)
    await publish(termsOf('second'))
    expect((await legal.read('terms', before))?.body.es).toBe('<p>first</p>')
    expect(await legal.read('privacy', before)).toBeUndefined()
    expect(await legal.read('terms', '00000000000000000000')).toBeUndefined()
  })

  it('come in order also where the clock was put back', async () => {
    await publish(termsOf('first'))
    clock.advance(-10 * MINUTE)
    const newest = await publish(termsOf('second'))
    await accept(
      newest,
      open(() => termsOf('first')),
    )
  })

  it('cannot be changed or taken out of the database', async () => {
    await publish(termsOf('first'))
    for (const change of ["update legal_texts set content = ''", 'delete from legal_releases'])
      await expect(test.db.transaction(trx => sql.raw(change).execute(trx))).rejects.toThrow('append-only')
  })
})
