import type { Command } from './command.ts'
import { keptContent } from './content.ts'
import { table } from './table.ts'

/** `campaigns`: the free campaigns of the content, and how many of their cards were given out. */
export const campaigns: Command = {
  name: 'campaigns',
  usage: '',
  summary: 'lists the free campaigns with their stock and what is left of it',
  async run(tools) {
    const content = await keptContent(tools.place)
    const db = await tools.database()
    const rows = await db.read(reader => reader.selectFrom('free_campaigns').selectAll().execute())
    const claimed = new Map(rows.map(row => [row.tag, row.claimed]))
    const known = content?.freeCampaigns ?? []
    const gone = rows.filter(({ tag }) => !known.some(campaign => campaign.tag === tag))
    const all = [
      ...known.map(({ tag, active, stock, language, source }) => ({
        tag,
        state: active ? 'active' : 'stopped',
        language,
        source,
        stock,
        claimed: claimed.get(tag) ?? 0,
      })),
      ...gone.map(({ tag, claimed: number }) => ({
        tag,
        state: 'not in the content',
        language: '',
        source: '',
        stock: number,
        claimed: number,
      })),
    ]
    const lines = table(
      [
        { title: 'campaign' },
        { title: 'state' },
        { title: 'language' },
        { title: 'source' },
        { title: 'stock', right: true },
        { title: 'given', right: true },
        { title: 'left', right: true },
      ],
      all.map(each => [
        each.tag,
        each.state,
        each.language,
        each.source,
        String(each.stock),
        String(each.claimed),
        String(Math.max(0, each.stock - each.claimed)),
      ]),
    )
    return { lines, data: { campaigns: all }, ok: true }
  },
}
