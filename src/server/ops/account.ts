import { dayInUtc } from '#domain/days.ts'
import { DEFAULT_LANGUAGE, isLanguage } from '#domain/languages.ts'
import {
  confirmableFrom,
  endOfNumber,
  isSecondChannel,
  SECOND_CHANNELS,
} from '#domain/payout/payee-accounts.ts'
import {
  confirmPayee,
  type PayeeAccount,
  PayeeRefused,
  payees,
  proposePayee,
  withdrawPayee,
} from '#server/modules/payouts/payee-accounts.ts'
import { type Actions, commandOf } from './actions.ts'
import { noWords, oneWord, readArguments } from './arguments.ts'
import { keysFor } from './card-secret.ts'
import { Refusal } from './command.ts'
import { ngoNames, refuseUnknownOrganisation } from './content.ts'
import { noteRevoked } from './revocations.ts'
import { instant, table } from './table.ts'

const THE_ORGANISATION = 'the id of one organisation'

const ACTIONS: Actions = {
  async list(tools, args) {
    noWords(readArguments(args).words)
    const rows = await (await tools.database()).read(reader => payees(reader))
    const nameOf = await ngoNames(tools.place)
    const shown = rows.filter(({ state }) => state !== 'ended')
    const lines = table(
      [
        { title: 'organisation' },
        { title: 'name' },
        { title: 'account' },
        { title: 'state' },
        { title: 'since' },
      ],
      shown.map(row => [
        row.ngo_id,
        nameOf(row.ngo_id),
        `${row.country} ${endOfNumber(numberOf(row))}`,
        row.state,
        dayInUtc(row.confirmed_at ?? row.proposed_at),
      ]),
    )
    // The list leaves out whole account numbers and contacts; only `account show` gives them, for one organisation.
    const data = shown.map(({ id, ngo_id, state, country }) => ({ id, ngo_id, state, country }))
    return { lines, data: { accounts: data }, ok: true }
  },

  async show(tools, args) {
    const ngoId = oneWord(readArguments(args).words, THE_ORGANISATION)
    const rows = await (await tools.database()).read(reader => payees(reader, ngoId))
    if (rows.length === 0) throw new Refusal(`No account was ever proposed for ${ngoId}.`)
    const lines = rows.flatMap((row, n) => [...(n > 0 ? [''] : []), ...factsOf(row)])
    return { lines, data: { accounts: rows.map(({ seal: _, ...row }) => row) }, ok: true }
  },

  async propose(tools, args) {
    const { words, value } = readArguments(args, {
      names: ['name', 'tax', 'contact', 'language', 'iban', 'country', 'number', 'routing', 'bic'],
    })
    const ngoId = oneWord(words, THE_ORGANISATION)
    const [legalName, contact] = [value('name'), value('contact')]
    if (legalName === undefined || contact === undefined)
      throw new Refusal('Say the legal name (--name) and whom to write to (--contact).')
    const language = value('language') ?? DEFAULT_LANGUAGE
    if (!isLanguage(language)) throw new Refusal(`"${language}" is not a language of the site.`)
    await refuseUnknownOrganisation(tools, ngoId)
    const made = await proposePayee(
      await tools.database(),
      await keysFor(tools),
      {
        ngoId,
        legalName,
        taxNumber: value('tax'),
        contact,
        language,
        iban: value('iban'),
        country: value('country'),
        number: value('number'),
        routing: value('routing'),
        bic: value('bic'),
      },
      tools.clock(),
    )
    const end = endOfNumber(numberOf(made))
    const lines = [
      `Noted: ${made.country} ${end} for ${ngoId}. Nothing is paid there yet.`,
      `Ask somebody at ${ngoId} by phone, not by the mail that brought the account, whether it is theirs;`,
      `then \`account confirm ${ngoId} --with <who> --how phone\`.`,
      ...(made.replaces === null
        ? []
        : made.told_at === null
          ? ['It replaces another: the old contact is written to, and from then on it waits for 24 hours.']
          : ['It replaces another, whose contact is forgotten: it waits for 24 hours.']),
    ]
    return { lines, data: { account: made.id, ngo: ngoId, state: made.state }, ok: true }
  },

  async confirm(tools, args) {
    const { words, value } = readArguments(args, { names: ['with', 'how'] })
    const ngoId = oneWord(words, THE_ORGANISATION)
    const [who, how] = [value('with'), value('how')]
    if (who === undefined || how === undefined || !isSecondChannel(how))
      throw new Refusal(
        `Say who at the organisation confirmed it (--with) and how (--how ${SECOND_CHANNELS.join(', ')}). Not by mail.`,
      )
    const made = await confirmPayee(
      await tools.database(),
      await keysFor(tools),
      { ngoId, who, how },
      tools.clock(),
    )
    const lines = [
      `${ngoId} is paid to ${made.country} ${endOfNumber(numberOf(made))} from now on.`,
      // One that it replaces has ended.
      ...(await noteRevoked(tools)),
    ]
    return { lines, data: { account: made.id, ngo: ngoId, state: made.state }, ok: true }
  },

  async withdraw(tools, args) {
    const { words, has } = readArguments(args, { flags: ['current'] })
    const ngoId = oneWord(words, THE_ORGANISATION)
    const state = has('current') ? 'current' : 'proposed'
    const ended = await withdrawPayee(
      await tools.database(),
      await keysFor(tools),
      { ngoId, state },
      tools.clock(),
    )
    const lines = [
      state === 'proposed'
        ? `What was proposed for ${ngoId} is withdrawn.`
        : `Nothing is paid to ${ngoId} any more until another account is confirmed.`,
      ...(await noteRevoked(tools)),
    ]
    return { lines, data: { account: ended.id, ngo: ngoId, state: ended.state }, ok: true }
  },
}

/** `account …`: where organisations are paid. */
export const account = commandOf({
  name: 'account',
  usage:
    'list | show <ngo> | propose <ngo> --name <legal name> --contact <e-mail> --iban <iban> [--bic <bic>] [--tax <number>] [--language es] | propose <ngo> … --country US --number <number> --routing <code> [--bic <bic>] | confirm <ngo> --with <who> --how phone | withdraw <ngo> [--current]',
  summary:
    'the bank accounts of organisations: proposes, confirms and withdraws them, one at a time; --current withdraws the one that is paid to now',
  actions: ACTIONS,
  byDefault: 'list',
  refusals: [PayeeRefused],
})

function factsOf(row: PayeeAccount): string[] {
  const from = confirmableFrom({ isReplacement: row.replaces !== null, toldAt: row.told_at })
  const facts: readonly (readonly [string, string | null])[] = [
    ['account', row.iban ?? [row.country, row.routing, row.number].filter(Boolean).join(' ')],
    ['BIC', row.bic],
    ['legal name', row.legal_name],
    ['tax number', row.tax_number],
    ['contact', row.contact],
    ['mails in', row.language],
    ['proposed', instant(row.proposed_at)],
    [
      'can be confirmed',
      row.state !== 'proposed'
        ? null
        : from === undefined
          ? 'a day after the mail to the old contact, which has not gone out yet'
          : from === 0
            ? 'now'
            : `from ${instant(from)} on`,
    ],
    [
      'confirmed',
      row.confirmed_at === null
        ? null
        : `${instant(row.confirmed_at)}, by ${row.confirmed_how}, with ${row.confirmed_by ?? 'somebody who was forgotten'}`,
    ],
    ['ended', row.ended_at === null ? null : instant(row.ended_at)],
  ]
  return [
    `${row.ngo_id}: ${row.state}`,
    ...facts.flatMap(([name, said]) => (said === null ? [] : [`  ${name.padEnd(18)}${said}`])),
  ]
}

const numberOf = ({ iban, number }: Pick<PayeeAccount, 'iban' | 'number'>) => iban ?? number ?? ''
