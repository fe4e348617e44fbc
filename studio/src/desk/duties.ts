import { inTerminal, toContent, toPart, type Way } from '../operations/ways.ts'
import type { DueAnswer } from '../product.ts'

type Due = DueAnswer[number]

/** What is done in the Studio itself, or begins there. */
const IN_THE_STUDIO: Readonly<Partial<Record<Due['name'], { readonly says: string; readonly way: Way }>>> = {
  payouts: {
    says: 'Make the payouts, then give the bank its files.',
    way: toPart('payouts', 'Go to the payouts'),
  },
  'bank-statement': {
    says: 'Import the bank’s statement, or note each payout as paid.',
    way: toPart('payouts', 'Go to the payouts'),
  },
  organisations: {
    says: 'Content → Review due, then Content → This year’s list.',
    way: toContent('Go to the reviews', 'review-due'),
  },
  keys: {
    says: 'Look through the people below, then through the keys of the services.',
    way: toPart('people', 'Go to the people'),
  },
  'terms-and-prices': {
    says: 'Content → Pages, then Content → Packages and prices.',
    way: toContent('Go to the pages', 'pages'),
  },
}

/** A duty as a sentence, how it is done, and where: none where its page alone says it. */
export function dueWords({ name, title, waiting, until, is_late: isLate, command }: Due): {
  readonly says: string
  readonly how: string
  readonly way?: Way
} {
  const when = isLate ? `Late, it was due until ${until}` : `Due until ${until}`
  const what = waiting === null ? '' : ` ${waiting}.`
  const says = `${when}: ${title}.${what}`
  const here = IN_THE_STUDIO[name]
  if (here) return { says, how: here.says, way: here.way }
  if (command.startsWith('did ')) return { says, how: 'It is done off the site: its page says how.' }
  return { says, how: `In the terminal: npm run ops -- ${command}.`, way: inTerminal(command) }
}
