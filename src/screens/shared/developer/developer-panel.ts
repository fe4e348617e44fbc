/**
 * The developer's panel (product.md#what-it-is): shows what the product knows of this visitor, and changes nothing
 * else.
 */

import { languageOf } from '#domain/languages.ts'
import { localizedPath } from '#paths'
import { drawnOrder } from '#screens/shared/choices/card-order.store.ts'
import { strategyFor } from '#screens/shared/choices/strategy.store.ts'
import { $consent } from '#screens/shared/consent/consent.store.ts'
import { currentWay } from '#screens/shared/flow/way.store.ts'
import { $sessions } from '#screens/shared/visitor/entry.store.ts'
import { entryFacts } from '#screens/shared/visitor/entry-facts.store.ts'
import {
  cameFromReceiver,
  ngoListVisited,
  packagesVisited,
} from '#screens/shared/visitor/visit-flags.store.ts'
import { KEY_PREFIX } from '#wire/browser-names.ts'
import { version } from '../../../../package.json'

const { lang } = document.documentElement
const language = languageOf(lang)

/** Forgets everything that this site keeps in the browser, and begins anew. */
function reset(): void {
  window.name = ''
  for (const open of [() => localStorage, () => sessionStorage])
    try {
      const storage = open()
      for (const key of Object.keys(storage)) if (key.startsWith(KEY_PREFIX)) storage.removeItem(key)
    } catch {
      // Blocked storage holds nothing.
    }
  location.assign(localizedPath(language, '/'))
}

const { strategy, pollVisitor, campaign, referred } = entryFacts()
const facts: Readonly<Record<string, unknown>> = {
  version,
  language,
  strategy: strategyFor(language) + (strategy ? ' (entry)' : ''),
  way: currentWay(),
  order: drawnOrder()?.join(' ') ?? 'not drawn',
  campaign: campaign ? `${campaign.kind} ${campaign.code} (${campaign.source})` : 'none',
  'poll visitor': pollVisitor === true,
  referred: referred === true,
  'from receiver': cameFromReceiver.get(),
  'packages visited': packagesVisited.get(),
  'ngo-list visited': ngoListVisited.get(),
  sessions: $sessions.get(),
  consent: $consent.get()?.choice ?? 'not answered',
}

const panel = document.createElement('details')
panel.className = 'developer'
panel.lang = 'en'
panel.dataset.developer = ''
const summary = document.createElement('summary')
summary.textContent = 'Developer'
const list = document.createElement('dl')
for (const [name, value] of Object.entries(facts)) {
  const term = document.createElement('dt')
  const told = document.createElement('dd')
  term.textContent = name
  told.textContent = String(value)
  told.dataset.fact = name
  list.append(term, told)
}
const button = document.createElement('button')
button.type = 'button'
button.className = 'button button-quiet'
button.dataset.action = 'reset'
button.textContent = 'Reset'
button.addEventListener('click', reset)
panel.append(summary, list, button)
const style = new CSSStyleSheet()
style.replaceSync(`
  .developer { width: 100%; max-width: var(--column); margin: 0 auto; padding: var(--space-2) var(--space-5) var(--space-5); font: 0.8125rem / 1.6 ui-monospace, monospace }
  .developer summary { min-height: 2.75rem; align-content: center; cursor: pointer }
  .developer dl { display: grid; grid-template-columns: max-content 1fr; column-gap: var(--space-4); margin-bottom: var(--space-3); overflow-wrap: anywhere }
`)
document.adoptedStyleSheets.push(style)
const region = document.createElement('aside')
region.setAttribute('aria-label', 'Developer')
region.append(panel)
document.body.append(region)
