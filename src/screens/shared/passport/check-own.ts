/** What checks a line of the card's own, as a file of its own: fetched once somebody presses. */
import { dayOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { OwnLine } from '#domain/public-ledger/passport.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { checkOwn } from '#screens/shared/ledger/line-verifier.ts'

/** Checks that a line stands in the public ledger and is of this card, and says what came of it. */
export async function check(root: HTMLElement, said: HTMLElement, own: OwnLine): Promise<void> {
  const say = (name: string, day = ''): void => {
    said.textContent = fill(root.dataset[name] ?? '', { number: own.number, day })
  }
  const { verifier: verifierText = '', address = '/ledger/' } = root.dataset
  const checked = await checkOwn({ verifierText, address, signal: new AbortController().signal }, own)
  if (checked.outcome === 'good') {
    const day = dayOf(Date.parse(checked.found.day), document.documentElement.lang as Language)
    say(own.nonce === null ? 'goodOfMany' : 'good', day)
  } else if (checked.outcome === 'bad') {
    say('bad')
    const fault = document.createElement('code')
    fault.textContent = checked.fault
    said.append(' ', fault)
  } else say(checked.outcome === 'none' ? 'none' : 'noAnswer')
  said.scrollIntoView({ block: 'nearest' })
}
