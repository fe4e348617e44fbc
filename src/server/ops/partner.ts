import { dayInUtc } from '#domain/days.ts'
import { PARTNER_SCOPES, type PartnerRefusal, readPartner } from '#domain/partner/partner.ts'
import { addPartner, PartnerRefused, revokePartner } from '#server/modules/partners/partner-acts.ts'
import { listPartners } from '#server/modules/partners/partners.ts'
import { type Actions, commandOf } from './actions.ts'
import { noWords, oneWord, readArguments } from './arguments.ts'
import { keysFor } from './card-secret.ts'
import { Refusal } from './command.ts'
import { noteRevoked } from './revocations.ts'
import { table } from './table.ts'

const REFUSALS: Readonly<Partial<Record<PartnerRefusal, string>>> = {
  name: 'Say who it is: --name, one line of at most sixty characters.',
  'not-an-address': 'Say whom to write to there: --contact, an e-mail address.',
  scopes: `Say what the key is for: --scopes, of ${PARTNER_SCOPES.join(' and ')}.`,
}

const ACTIONS: Actions = {
  async list(tools, args) {
    noWords(readArguments(args).words)
    const rows = await (await tools.database()).read(listPartners)
    const lines = table(
      [
        { title: 'partner' },
        { title: 'name' },
        { title: 'contact', whole: true },
        { title: 'scopes', whole: true },
        { title: 'last used' },
        { title: 'revoked' },
      ],
      rows.map(each => [
        each.id,
        each.name,
        each.contact ?? '',
        each.scopes,
        each.usedDay ?? '',
        each.revokedAt === null ? '' : dayInUtc(each.revokedAt),
      ]),
    )
    return {
      lines: rows.length > 0 ? lines : ['There is no partner yet.'],
      data: { partners: rows },
      ok: true,
    }
  },

  async add(tools, args) {
    const { words, value } = readArguments(args, { names: ['name', 'contact', 'scopes'] })
    noWords(words)
    const typed = readPartner({
      name: value('name') ?? '',
      contact: value('contact') ?? '',
      scopes: value('scopes') ?? PARTNER_SCOPES.join(' '),
    })
    if ('refusal' in typed) throw new Refusal(REFUSALS[typed.refusal] ?? typed.refusal)
    const { mac } = await keysFor(tools)
    const now = tools.clock()
    const made = await (await tools.database()).transaction(trx => addPartner(trx, typed, { mac, now }))
    const lines = [
      `The key of ${made.partner}, which is shown once: ${made.key}`,
      'Whoever has it opens payments in this partner’s name. Hand it over by a way that nobody else reads.',
    ]
    return { lines, data: { ...made }, ok: true }
  },

  async revoke(tools, args) {
    const partner = oneWord(readArguments(args).words, 'the id of one partner: `partner list` lists them')
    await (await tools.database()).transaction(trx => revokePartner(trx, partner, tools.clock()))
    const lines = [`The key of ${partner} opens nothing any more.`, ...(await noteRevoked(tools))]
    return { lines, data: { partner }, ok: true }
  },
}

/** `partner …`: whose programs open payments, and with which keys. */
export const partner = commandOf({
  name: 'partner',
  usage:
    'list | add --name <name> --contact <e-mail> [--scopes "orders:create orders:read"] | revoke <partner>',
  summary: 'partners whose programs open payments: makes a key, which is shown once, and revokes it',
  actions: ACTIONS,
  byDefault: 'list',
  refusals: [PartnerRefused],
})
