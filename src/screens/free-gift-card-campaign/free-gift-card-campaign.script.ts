/** The free card's form: one address, one press, and on to the links (product.md#free-cards). */
import { type FreeOffers, offerTo } from '#domain/campaign/offers.ts'
import { languageOf } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import { money } from '#domain/money/money.ts'
import { GIFT_CARD_ENTRIES } from '#domain/pricing/gift-card-entries.ts'
import { freeCheckoutPath } from '#paths'
import {
  type ClaimState,
  createClaim,
} from '#screens/free-gift-card-campaign/free-gift-card-campaign.store.ts'
import { currencyFor } from '#screens/shared/choices/currency.store.ts'
import { $sender, senderOf } from '#screens/shared/choices/sender.store.ts'
import { $theme } from '#screens/shared/choices/theme.store.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { noteEntry } from '#screens/shared/visitor/entry.store.ts'
import { entryFacts } from '#screens/shared/visitor/entry-facts.store.ts'
import { claimFreeGiftCard, newAttemptKey } from '#wire/client.ts'

const form = document.querySelector<HTMLFormElement>('form[data-claim]')
if (form) show(form)

function show(form: HTMLFormElement): void {
  const { lang } = document.documentElement
  const language = languageOf(lang)
  const texts = JSON.parse(form.dataset.claim ?? '{}') as Record<string, string>
  const field = form.querySelector<HTMLInputElement>('input')
  const error = form.querySelector<HTMLElement>('#claim-email-error')
  const notice = form.querySelector<HTMLElement>('[data-notice]')
  const button = form.querySelector<HTMLButtonElement>('button')
  const packages = form.querySelector<HTMLElement>('[data-action="packages"]')
  const lead = document.querySelector<HTMLElement>('[data-lead]')
  if (!field || !error || !notice || !button || !packages || !lead) return

  noteEntry({})
  const { campaign } = entryFacts()
  // One that was chosen and is gone counts as not chosen.
  const themes = (form.dataset.themes ?? '').split(' ')
  const currency = currencyFor(navigator.languages)
  const code = campaign?.kind === 'free' ? campaign.code : undefined
  const { $state, press } = createClaim(
    {
      claim: (address, attemptKey) =>
        claimFreeGiftCard(
          {
            address,
            campaignCode: code ?? '',
            currency,
            themeId: themes.find(id => id === $theme.get()),
            sender: senderOf($sender.get()) ?? { kind: 'anonymous' },
            language,
          },
          attemptKey,
        ),
      newAttemptKey,
    },
    offerTo(campaign, JSON.parse(form.dataset.offers ?? '{}') as FreeOffers),
  )
  const worth = fill(texts.lead ?? '', {
    amount: formatMoney(money(GIFT_CARD_ENTRIES.free.credit, currency), language, 'never'),
  })

  const noticeOf = (state: ClaimState): string => {
    if (state.kind === 'over') return texts[state.code] ?? ''
    if (state.kind !== 'failed') return ''
    const { code, retryAfterSeconds } = state.refusal
    const wait = retryAfterSeconds === undefined ? '' : fill(texts.wait ?? '', { seconds: retryAfterSeconds })
    return `${texts[code] ?? texts['something-went-wrong']} ${wait}`.trim()
  }

  $state.subscribe(state => {
    const fault = state.kind === 'refused' ? state.fault : undefined
    const isOver = state.kind === 'over'
    const hadFocus = form.contains(document.activeElement)
    error.textContent = fault ? (texts[fault] ?? '') : ''
    field.setAttribute('aria-invalid', String(fault !== undefined))
    // What a card is worth says nothing where there is none: the reason stands in its place, and nothing moves.
    lead.textContent = isOver ? noticeOf(state) : worth
    notice.textContent = isOver ? '' : noticeOf(state)
    field.readOnly = state.kind === 'loading'
    form.dataset.state = state.kind
    for (const part of form.querySelectorAll<HTMLElement>('[data-asks]')) part.hidden = isOver
    packages.hidden = !isOver && fault !== 'used'
    packages.classList.toggle('button', isOver)
    packages.classList.toggle('link', !isOver)
    button.setAttribute('aria-disabled', String(state.kind === 'loading'))
    if (state.kind === 'failed') button.dataset.state = 'retry'
    else delete button.dataset.state
    button.textContent =
      (state.kind === 'loading' ? texts.loading : state.kind === 'failed' ? texts.retry : texts.claim) ?? ''
    if (fault) field.focus()
    // What is hidden loses the focus.
    if (isOver && hadFocus) packages.focus()
  })

  form.addEventListener('submit', event => {
    event.preventDefault()
    void press(field.value).then(key => {
      if (key !== undefined) location.assign(freeCheckoutPath(language, key))
    })
  })
}
