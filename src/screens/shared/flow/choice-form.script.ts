/**
 * The screens where one of a few things is chosen, choose-theme and choose: plain markup that this script listens
 * to. A theme is applied at once; Continue says what is missing until something is chosen.
 */
import { isLanguage } from '#domain/languages.ts'
import { SUMMARIES } from '#domain/sender/flow.ts'
import { isGiftKind } from '#domain/sender/gift-kinds.ts'
import { isThemeId } from '#domain/themes.ts'
import { senderPath } from '#paths'
import { $giftKind } from '#screens/shared/choices/gift-kind.store.ts'
import { $theme } from '#screens/shared/choices/theme.store.ts'
import { setWay } from '#screens/shared/flow/way.store.ts'
import { changing, keepChange } from './continue.ts'
import { prefetch } from './prefetch.ts'
import { showWay } from './show-way.ts'

/** What each form's choice is kept as. */
const CHOICES = {
  theme: {
    $chosen: $theme,
    choose(value: string): void {
      if (isThemeId(value)) $theme.set(value)
    },
    /** A theme is applied at once, also when another tab chose it. */
    apply(value: string): void {
      document.documentElement.dataset.theme = value
    },
  },
  kind: {
    $chosen: $giftKind,
    choose(value: string): void {
      if (isGiftKind(value)) $giftKind.set(value)
    },
    apply(): void {},
  },
} as const

const form = document.querySelector<HTMLFormElement>('form[data-choice]')
if (form) show(form, CHOICES[form.dataset.choice === 'kind' ? 'kind' : 'theme'])

function show(
  form: HTMLFormElement,
  { $chosen, choose, apply }: (typeof CHOICES)[keyof typeof CHOICES],
): void {
  const options = [...form.querySelectorAll<HTMLInputElement>('input[type="radio"]')]
  const button = form.querySelector<HTMLButtonElement>('[data-action="continue"]')
  const missing = form.querySelector<HTMLElement>('[data-missing]')
  if (!button || !missing) return
  const { lang } = document.documentElement

  // Where there is only one thing to choose it is chosen.
  const only = options.length === 1 ? options[0] : undefined
  const chosen = (): HTMLInputElement | undefined =>
    only ?? options.find(({ value }) => value === $chosen.get())
  // A theme is never what another choice hangs on.
  const changed = changing()
  const nextOf = (option: HTMLInputElement): string | undefined =>
    changed && isLanguage(lang) ? senderPath(lang, SUMMARIES[changed]) : option.dataset.next
  const prefetched = new Set<string>()
  const paint = (): void => {
    const option = chosen()
    for (const each of options) each.checked = each === option
    button.setAttribute('aria-disabled', String(!option))
    if (!option) return
    apply(option.value)
    missing.textContent = ''
    const next = nextOf(option)
    if (next && !prefetched.has(next)) void prefetch(next)
    if (next) prefetched.add(next)
  }

  // These screens are on the long way only; who came from the summary stays on the way that led there.
  const beLong = (): void => {
    if (!changed) setWay('long')
    showWay()
  }
  keepChange()
  beLong()
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) choose(target.value)
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    const option = chosen()
    const next = option && nextOf(option)
    if (next) location.assign(next)
    else missing.textContent = missing.dataset.missing ?? ''
  })
  // Subscribed, so that another tab's choice, and a page that Back brings out of memory, show as they are.
  $chosen.subscribe(paint)
  addEventListener('pageshow', beLong)
}
