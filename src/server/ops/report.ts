import { deadLinks } from '#server/modules/content/links/looks.ts'
import { AUDIENCE_DAYS, readAudience } from '#server/modules/reports/audience.ts'
import { readSendings } from '#server/modules/reports/sendings.ts'
import { readSummary } from '#server/modules/reports/summary.ts'
import { noWords, readArguments } from './arguments.ts'
import { audienceCsv, audienceLines } from './audience.ts'
import type { Command } from './command.ts'
import { keptContent, ngoNames } from './content.ts'
import { owedTable } from './owed-table.ts'
import { age, amount, table } from './table.ts'

/**
 * `report`: the figures of the whole business by currency, the work that waits for a person, and the statistics that
 * visitors allowed. `--csv` gives the statistics for a spreadsheet.
 */
export const report: Command = {
  name: 'report',
  usage: '[--csv]',
  summary: 'says what was sold, given and paid out, what is owed, and how the site is visited',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['csv'] })
    noWords(words)
    const db = await tools.database()
    const audience = await db.snapshot(reader => readAudience(reader, tools.clock()))
    if (has('csv')) return { lines: audienceCsv(audience), data: audience, ok: true }
    const summary = await db.snapshot(reader => readSummary(reader, tools.clock()))
    const sendings = await db.read(readSendings)
    const nameOf = await ngoNames(tools.place)
    const content = await keptContent(tools.place)
    const dead = await db.read(reader => deadLinks(reader, content))
    const { money, cards, owed, mails } = summary
    const figures = [
      ['orders paid', (m: (typeof money)[number]) => String(m.orders)],
      ['paid by buyers', m => amount(m.paid)],
      ['given by campaigns', m => amount(m.campaign)],
      ['support, without tax', m => amount(m.support)],
      ['tax', m => amount(m.tax)],
      ['volunteering packages', m => amount(m.volunteering)],
      ['on unused cards', m => amount(m.outstanding)],
      ['given to organisations', m => amount(m.allocated)],
      ['  of it being paid out', m => amount(m.beingPaidOut)],
      ['  of it paid out', m => amount(m.paidOut)],
      ['given back to buyers', m => amount(m.refunded)],
      ['losses', m => amount(m.losses)],
    ] as const satisfies readonly (readonly [string, (m: (typeof money)[number]) => string])[]
    const lines = [
      ...table(
        [{ title: 'Money' }, ...money.map(({ currency }) => ({ title: currency, right: true as const }))],
        figures.map(([title, figure]) => [title, ...money.map(figure)]),
      ),
      '',
      `Cards: ${cards.active} active, ${cards.left} left to the draw, ${cards.consumed} used, ${cards.frozen} frozen, ${cards.cancelling} being cancelled, ${cards.revoked} revoked; ${summary.expiringSoon} end their year within 30 days.`,
      `The chain: ${summary.chain} gifts were bought by somebody who had been given one.`,
      `Gifts mailed on a day: ${sendings.planned} planned, ${sendings.sent} sent, ${sendings.returned} returned, ${sendings.stopped} stopped.`,
      `Mails: ${mails.waiting} waiting, ${mails.failing} failing, ${mails.givenUp} given up.`,
      '',
      'Owed, in no payout yet:',
      ...owedTable(owed, nameOf, { amountTitle: 'amount', now: summary.at }),
      '',
      'Links of organisations that lead to nothing:',
      ...table(
        [{ title: 'organisation' }, { title: 'link' }, { title: 'found' }, { title: 'for', right: true }],
        dead.map(({ organisation, link, reason, since }) => [
          organisation,
          link,
          reason,
          age(since, summary.at),
        ]),
      ),
      '',
      ...audienceLines(audience, AUDIENCE_DAYS),
    ]
    return { lines, data: { ...summary, sendings, deadLinks: dead, audience }, ok: true }
  },
}
