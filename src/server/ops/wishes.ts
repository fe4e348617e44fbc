import { dayInUtc } from '#domain/days.ts'
import { commonWord } from '#domain/wish/wish.ts'
import { listWishes, markLookedAt } from '#server/modules/gifts/wishes.ts'
import { type Actions, commandOf } from './actions.ts'
import { noWords, oneWord, readArguments } from './arguments.ts'
import { table } from './table.ts'

const ACTIONS: Actions = {
  async list(tools, args) {
    noWords(readArguments(args).words)
    const wishes = await (await tools.database()).read(listWishes)
    const lines = table(
      [
        { title: 'organisation', whole: true },
        { title: 'cards' },
        { title: 'new' },
        { title: 'last' },
        { title: 'hints', whole: true },
      ],
      wishes.map(({ names, hints, cards, unseen, newestAt }) => [
        names.join(' / '),
        `${cards}`,
        `${unseen}`,
        dayInUtc(newestAt),
        hints.join(' / '),
      ]),
    )
    return {
      lines: wishes.length > 0 ? lines : ['Nobody misses an organisation.'],
      data: { wishes },
      ok: true,
    }
  },

  async seen(tools, args) {
    const name = oneWord(readArguments(args).words, 'the name of one organisation, as `wishes list` has it')
    const now = tools.clock()
    const seen = await (await tools.database()).transaction(trx =>
      markLookedAt(trx, { word: commonWord(name), until: now }, now),
    )
    return { lines: [`Looked at: ${seen} wishes.`], data: { seen }, ok: true }
  },
}

/** `wishes …`: which organisations recipients miss on the list. */
export const wishes = commandOf({
  name: 'wishes',
  usage: 'list | seen <organisation>',
  summary: 'organisations that recipients miss on the list: shows them, and marks them as looked at',
  actions: ACTIONS,
  byDefault: 'list',
  refusals: [],
})
