import { afterEach, beforeEach, expect, it } from 'vitest'
import { audit, writeDown } from '#server/ops/audit.ts'
import { type Command, Refusal, type Tools } from '#server/ops/command.ts'
import { people } from '#server/ops/people.ts'
import { CREATED_AT, TEST_CARD_SECRET } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let tools: Tools
beforeEach(async () => {
  test = await openTestDatabase()
  tools = {
    database: async () => test.db,
    place: { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl },
    environment: {
      DATA_DIR: test.location.dataDir,
      OPERATOR_MAIL: 'desk@example.org',
      CARD_KEY_SECRET: TEST_CARD_SECRET,
    },
    clock: fakeClock(CREATED_AT),
    progress() {},
  }
})
afterEach(() => test.close())

/** Runs a command as `main.ts` does. */
async function ops(command: Command, ...args: string[]): Promise<string> {
  const { lines, ok } = await command.run(tools, args)
  await writeDown(command.name, args, ok, tools)
  return lines.join('\n')
}
const jobs = () => test.db.read(db => db.selectFrom('jobs').selectAll().execute())

it('lets somebody in from tomorrow on, and has everybody at the desk written to', async () => {
  expect(await ops(people)).toContain('Nobody has a passkey yet')
  const said = await ops(people, 'invite', '--name', 'Ana', '--email', 'ana@example.org')
  expect(said).toMatch(
    /^The code of \w{26}: (?:\w{4}-){4}\w{4}\nIt can be used once, at \/studio-login, from 2026-03-11/,
  )
  const [job] = await jobs()
  expect(job).toMatchObject({ kind: 'alarm' })
  expect(JSON.parse(job!.payload)).toMatchObject({ kind: 'invitation-on-the-machine' })
  const code = /: ([\w-]{24})/.exec(said)![1]!
  expect(JSON.stringify([await jobs(), await ops(audit)])).not.toContain(code)
})

it('writes down each act, and no name or address', async () => {
  await ops(people, 'invite', '--name', 'Ana', '--email', 'ana@example.org', '--role', 'editor')
  const id = /(\w{26})/.exec(await ops(people))![1]!
  await ops(people, 'add-passkey', id)
  await ops(people, 'end', id)
  expect(await ops(people)).toContain('Nobody has a passkey yet')
  const log = await ops(audit)
  for (const action of ['people invite', 'people add-passkey', 'people end']) expect(log).toContain(action)
  expect(log).not.toMatch(/Ana|example\.org/)
  const row = await test.db.read(db => db.selectFrom('people').selectAll().executeTakeFirstOrThrow())
  expect(row).toMatchObject({ name: 'Ana', email: null, invitation_seal: null })
})

it.each([
  [['invite'], /Say who it is/],
  [['invite', '--name', 'Ana'], /Say where they are written to/],
  [['invite', '--name', 'Ana', '--email', 'ana@example.org', '--role', 'boss'], /The role is one of/],
  [['end', 'nobody'], /Nobody at the desk is "nobody"/],
  [['add-passkey', 'nobody'], /Nobody at the desk is "nobody"/],
  [['elsewhere'], /people list \|/],
])('refuses %o and changes nothing', async (args, reason) => {
  const refused = ops(people, ...args)
  await expect(refused).rejects.toThrow(reason)
  await expect(refused).rejects.toBeInstanceOf(Refusal)
  expect(await jobs()).toEqual([])
})
