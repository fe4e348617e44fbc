import type { DueAnswer } from '../product.ts'

type Due = DueAnswer[number]

/** What is done in the Studio itself; everything else begins with a command. */
const WAYS: Readonly<Partial<Record<Due['name'], string>>> = {
  payouts: 'Operations → Payouts: make the payouts, then give the bank its files.',
  accounts: 'In the terminal: npm run ops -- account list. Operations → Payouts names those without one.',
  'bank-statement': 'Operations → Payouts: import the bank’s statement, or note each payout as paid.',
  organisations: 'Content → Review due, then Content → This year’s list.',
  keys: 'Operations → People. Note here that it is done.',
  'terms-and-prices': 'Content → Texts and Content → Packages. Note here that it is done.',
}

/** A duty as a sentence, and how it is done. */
export function dueWords({ name, title, waiting, until, is_late: isLate, command, guide }: Due): {
  readonly says: string
  readonly way: string
} {
  const when = isLate ? `Late, it was due until ${until}` : `Due until ${until}`
  const what = waiting === null ? '' : ` ${waiting}.`
  const way =
    WAYS[name] ??
    (command.startsWith('did ') ? 'As its page says.' : `In the terminal: npm run ops -- ${command}.`)
  return { says: `${when}: ${title}.${what}`, way: `${way} The page ${guide} says how.` }
}
