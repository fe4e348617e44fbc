/**
 * The try card greets with the visitor's own name, and counts in the currency that was chosen. Only its screens have
 * this script: the grammar of names is a tenth of a story screen's script.
 */
import type { Language } from '#domain/languages.ts'
import { fillText } from '#domain/text/fill-text.ts'
import { CURRENCY_KEY, SCREEN_SHOWN, SENDER_KEY } from '#wire/browser-names.ts'

function personalize(): void {
  try {
    const kept = (key: string) => sessionStorage.getItem(key) ?? localStorage.getItem(key)
    const title = document.querySelector<HTMLElement>('[data-own-currency]')
    const titles = JSON.parse(title?.dataset.ownCurrency ?? '{}') as Record<string, string>
    const said = titles[kept(CURRENCY_KEY) ?? '']
    if (title && said) title.textContent = said
    const sender = JSON.parse(kept(SENDER_KEY) || 'null') as {
      kind?: string
      name?: string
    } | null
    if (sender?.kind !== 'own' || !sender.name) return
    const { name } = sender
    for (const element of document.querySelectorAll<HTMLElement>('[data-own-name]'))
      element.textContent = fillText(
        element.dataset.ownName!,
        { name },
        document.documentElement.lang as Language,
      )
  } catch {
    // No name: the anonymous words stand.
  }
}

personalize()
addEventListener(SCREEN_SHOWN, personalize)
