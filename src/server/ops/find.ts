import { LONGEST_SEARCH, type Search } from '#domain/desk/search.ts'
import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { nameOfNgo } from '#server/modules/content/snapshot.ts'
import { find as findGifts } from '#server/modules/desk/find.ts'
import { digestOfAddress } from '#server/modules/gifts/sendings/stored.ts'
import { readArguments } from './arguments.ts'
import { keysHere } from './card-secret.ts'
import { type Command, Refusal } from './command.ts'
import { keptContent } from './content.ts'
import { amount, instant, table } from './table.ts'

/** `find <words>`: finds gifts by anything that is known of them. The Studio's desk asks the same. */
export const find: Command = {
  name: 'find',
  usage:
    '<e-mail | card | order | id of the payment provider | amount currency day | number on a paper | organisation>',
  summary: 'finds gifts, orders and payouts by what is known of them',
  async run(tools, args) {
    const words = readArguments(args).words.join(' ').trim()
    if (words === '' || words.length > LONGEST_SEARCH) throw new Refusal(`find ${find.usage}`)
    const content = await keptContent(tools.place)
    const { keys } = await keysHere(tools)
    const found = await findGifts(
      {
        db: await tools.database(),
        sessionDigest: keys && (id => keys.keyedDigest(id)),
        recipientDigest: keys && (address => digestOfAddress(keys, address)),
        orderOfIntent: undefined,
        organisations: () =>
          (content?.knownNgos ?? []).map(({ id }) => ({
            id,
            name: nameOfNgo(content!, id, DEFAULT_LANGUAGE),
          })),
      },
      words,
    )
    refuseUnanswered(found.search, keys !== undefined)
    const lines =
      found.hits.length === 0
        ? ['Nothing is found by these words.']
        : table(
            [
              { title: 'what' },
              { title: 'id' },
              { title: 'state' },
              { title: 'amount', right: true },
              { title: '' },
              { title: 'made' },
              { title: '' },
            ],
            found.hits.map(hit => [
              hit.kind,
              hit.id,
              hit.state ?? '',
              hit.amount === null ? '' : amount(hit.amount),
              hit.currency ?? '',
              instant(hit.at),
              hit.name ?? '',
            ]),
          )
    const more = found.isMore ? ['There are more: these are the newest.'] : []
    // What was typed is not repeated: it may be an address.
    return { lines: [...lines, ...more], data: { hits: found.hits, isMore: found.isMore }, ok: true }
  },
}

/** @throws Refusal where nothing can be looked up by what was typed, and what to do instead */
function refuseUnanswered(search: Search, hasKeys: boolean): void {
  if (search.kind === 'key')
    throw new Refusal(
      'That is a key, or a link that holds one: it opens the gift, so nothing is looked for by it. Ask for the buyer’s e-mail address.',
    )
  if (search.kind === 'part-of-payment')
    throw new Refusal(`Say the ${search.lacks.join(' and the ')} as well: \`find 65 EUR 2026-11-21\`.`)
  if (search.kind === 'intent')
    throw new Refusal(
      'Payment intents (pi_…) are not kept here. Say the charge (ch_…) of it, or look in the Studio, which asks the payment provider.',
    )
  if (search.kind === 'session' && !hasKeys)
    throw new Refusal('CARD_KEY_SECRET is not set here: without it no session can be recognized.')
}
