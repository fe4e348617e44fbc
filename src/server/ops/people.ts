import { ROLES, type Role, readPersonName } from '#domain/desk/roles.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { queueAlarm } from '#server/modules/letters/alarms.ts'
import { listPeople } from '#server/modules/operator/people.ts'
import {
  endPerson,
  type Invitation,
  invite,
  inviteAgain,
  type Making,
  PeopleRefused,
} from '#server/modules/operator/people-acts.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { type Actions, commandOf } from './actions.ts'
import { noWords, oneWord, readArguments } from './arguments.ts'
import { keysFor } from './card-secret.ts'
import { Refusal, type Report, type Tools } from './command.ts'
import { noteRevoked } from './revocations.ts'
import { instant, table } from './table.ts'

const THE_PERSON = 'the id of one person: `people` lists them'

const ACTIONS: Actions = {
  async list(tools, args) {
    noWords(readArguments(args).words)
    const rows = await (await tools.database()).read(listPeople)
    const lines = table(
      [
        { title: 'person' },
        { title: 'name' },
        { title: 'role' },
        { title: 'passkeys' },
        { title: 'last used' },
        { title: 'invited until' },
      ],
      rows.map(each => [
        each.id,
        each.name,
        each.role,
        `${each.passkeys}`,
        each.usedAt === null ? '' : instant(each.usedAt),
        each.invitedUntil === null ? '' : instant(each.invitedUntil),
      ]),
    )
    const nobody = [
      'Nobody has a passkey yet. Whoever has OPERATOR_TOKEN makes the first one at /studio-login.',
    ]
    return { lines: rows.length > 0 ? lines : nobody, data: { people: rows }, ok: true }
  },

  async invite(tools, args) {
    const { words, value } = readArguments(args, { names: ['name', 'role', 'email'] })
    noWords(words)
    const name = readPersonName(value('name') ?? '')
    const [role, email] = [value('role') ?? 'treasurer', value('email') ?? '']
    if (name === undefined) throw new Refusal('Say who it is: --name, one line of at most sixty characters.')
    if (!isRole(role)) throw new Refusal(`The role is one of ${ROLES.join(', ')}.`)
    if (!isMailAddress(email)) throw new Refusal('Say where they are written to: --email.')
    return invited(tools, (trx, making) => invite(trx, { name, role, email }, making))
  },

  'add-passkey': async (tools, args) => {
    const person = oneWord(readArguments(args).words, THE_PERSON)
    return invited(tools, (trx, making) => inviteAgain(trx, person, making))
  },

  async end(tools, args) {
    const person = oneWord(readArguments(args).words, THE_PERSON)
    const db = await tools.database()
    await db.transaction(trx => endPerson(trx, person, 'machine', tools.clock()))
    const lines = [`No passkey of ${person} opens anything any more.`, ...(await noteRevoked(tools))]
    return { lines, data: { person }, ok: true }
  },
}

/** `people …`: who signs in at the desk, and the way back in where every passkey is lost. */
export const people = commandOf({
  name: 'people',
  usage:
    'list | invite --name <name> --email <e-mail> [--role treasurer] | add-passkey <person> | end <person>',
  summary:
    'the people at the desk: lets them in a day later, and everybody there is written to; ends them at once',
  actions: ACTIONS,
  byDefault: 'list',
  refusals: [PeopleRefused],
})

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)

/** Makes an invitation that waits for a day, and has everybody at the desk written to. */
async function invited(
  tools: Tools,
  make: (trx: Writer, making: Making) => Promise<Invitation>,
): Promise<Report> {
  const { database, clock, environment } = tools
  const now = clock()
  const { mac } = await keysFor(tools)
  const made = await (await database()).transaction(async trx => {
    const invitation = await make(trx, { door: 'machine', now, mac })
    const facts = {
      person: invitation.person,
      from: instant(invitation.from),
      invitation: `${invitation.person} ${now}`,
    }
    // Without OPERATOR_MAIL no alarm is ever sent.
    if (environment.OPERATOR_MAIL) await queueAlarm(trx, 'invitation-on-the-machine', facts, now)
    return invitation
  })
  const lines = [
    `The code of ${made.person}: ${made.code}`,
    `It can be used once, at /studio-login, from ${instant(made.from)} until ${instant(made.until)}.`,
    'Everybody at the desk is written to now. `people end` takes it back.',
  ]
  return { lines, data: { ...made }, ok: true }
}
