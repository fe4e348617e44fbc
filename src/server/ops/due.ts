import { dayInMadrid } from '#domain/days.ts'
import { DUTY_NAMES, dutiesDue, dutyOf, isDutyName } from '#domain/desk/duties.ts'
import { knownDuties } from '#server/modules/reports/duties.ts'
import { day, noWords, oneWord, readArguments } from './arguments.ts'
import { type Command, Refusal } from './command.ts'

/** `due`: what the operator has to do now, with the command; first what is late. */
export const due: Command = {
  name: 'due',
  usage: '',
  summary: 'says what is due now, first what is late, each with its command',
  async run(tools, args) {
    noWords(readArguments(args).words)
    const now = tools.clock()
    const known = await (await tools.database()).snapshot(reader => knownDuties(reader, now))
    const duties = dutiesDue(known, dayInMadrid(now))
    const lines = duties.length === 0 ? ['Nothing is due.'] : duties.map(({ says }) => says)
    return { lines, data: { due: duties }, ok: true }
  },
}

/** `did <duty>`: notes that a duty was done which no data show. The audit log keeps it. */
export const did: Command = {
  name: 'did',
  usage: '<duty> [--on 2026-10-15]',
  summary: 'notes that a duty was done which no data show, such as a declaration of VAT',
  async run(tools, args) {
    const { words, value } = readArguments(args, { names: ['on'] })
    const noted = DUTY_NAMES.filter(name => dutyOf(name).known !== 'data')
    const name = oneWord(words, `one duty: ${noted.join(', ')}`)
    if (!isDutyName(name)) throw new Refusal(`There is no duty "${name}". There are ${noted.join(', ')}.`)
    const { title, known } = dutyOf(name)
    if (known === 'data')
      throw new Refusal(
        `"${name}" is not noted by hand: it is done when \`due\` says nothing of it any more.`,
      )
    const today = dayInMadrid(tools.clock())
    const on = value('on')
    if (on !== undefined) day(on)
    if (on !== undefined && on > today) throw new Refusal(`${on} is still to come.`)
    // `main.ts` writes it to the audit log, which is where it is kept.
    return { lines: [`Noted: ${title}, done on ${on ?? today}.`], data: { name, on: on ?? today }, ok: true }
  },
}
