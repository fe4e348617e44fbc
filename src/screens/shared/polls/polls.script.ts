/** A poll: answers are kept in the tab as they are given, and sent when the visitor says so, until they are taken. */

import { languageOf } from '#domain/languages.ts'
import {
  bandOf,
  isPollId,
  missingAnswers,
  offeredAnswers,
  type PollAnswers,
  type PollId,
} from '#domain/polls/polls.ts'
import { TIMINGS } from '#domain/timings.ts'
import { senderPath } from '#paths'
import { keptCurrency } from '#screens/shared/choices/currency.store.ts'
import { isAfterPayment, pollAnswers, sendPolls, submitPoll } from '#screens/shared/polls/polls.store.ts'
import { onReturn } from '#screens/shared/storage/persisted.ts'
import { deliverPoll } from '#wire/analytics-client.ts'
import { TRACK } from '#wire/browser-names.ts'
import { newAttemptKey } from '#wire/client.ts'
import { pathAfterPoll } from './after-poll.ts'

const { lang } = document.documentElement
const language = languageOf(lang)

const form = document.querySelector<HTMLFormElement>('form[data-poll]')
const poll = form?.dataset.poll
if (form && isPollId(poll)) show(form, poll)

function show(form: HTMLFormElement, poll: PollId): void {
  const kept = pollAnswers(poll)
  const button = form.querySelector<HTMLButtonElement>('[data-action="continue"]')
  const missing = form.querySelector<HTMLElement>('[data-missing]')
  if (!button || !missing) return

  /** What was answered of what is offered: the currency may be another one than when the answer was given. */
  const given = (): PollAnswers =>
    offeredAnswers(poll, kept.get(), { language, currency: keptCurrency(navigator.languages) })

  const paint = (): void => {
    const answers = given()
    const band = bandOf(keptCurrency(navigator.languages))
    for (const option of form.querySelectorAll<HTMLElement>('[data-band]'))
      option.hidden = option.dataset.band !== band
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      const answer = answers[field.name]
      if (field.type === 'radio' || field.type === 'checkbox')
        (field as HTMLInputElement).checked = [answer].flat().map(String).includes(field.value)
      else if (document.activeElement !== field) field.value = String(answer ?? '')
    }
    for (const group of form.querySelectorAll<HTMLElement>('[data-most]')) {
      const boxes = [...group.querySelectorAll<HTMLInputElement>('input')]
      const isFull = boxes.filter(({ checked }) => checked).length >= Number(group.dataset.most)
      for (const box of boxes) box.disabled = isFull && !box.checked
    }
    const open = missingAnswers(poll, answers)
    button.setAttribute('aria-disabled', String(open.length > 0))
    if (!missing.hidden) sayMissing(open)
  }

  /** Beside each of these questions, and in one list with a way to each; nowhere else. */
  const sayMissing = (open: readonly string[]): void => {
    missing.hidden = open.length === 0
    for (const line of missing.querySelectorAll('li'))
      line.hidden = !open.includes(line.dataset.missingAnswer ?? '')
    for (const words of form.querySelectorAll<HTMLElement>('fieldset > .error')) {
      words.hidden = !open.some(id => words.id === `${id}-missing`)
      // Said of a question even where it is hidden, if it is named.
      if (words.hidden) words.parentElement?.removeAttribute('aria-describedby')
      else words.parentElement?.setAttribute('aria-describedby', words.id)
    }
  }

  const timers = new Map<string, number>()
  const answer = (name: string, value: PollAnswers[string] | undefined): void => {
    const { [name]: _, ...others } = given()
    kept.set(value === undefined ? others : { ...others, [name]: value })
    paint()
    // Which question, and never what: it tells where a poll is given up.
    clearTimeout(timers.get(name))
    const tell = (): unknown =>
      dispatchEvent(
        new CustomEvent(TRACK, {
          detail: { name: 'poll-answered', metadata: { poll, question: name } },
        }),
      )
    timers.set(name, window.setTimeout(tell, TIMINGS.pollDebounce))
  }

  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
    const { name, value, type } = target
    const { top } = target.getBoundingClientRect()
    if (type === 'checkbox') {
      const boxes = [...form.querySelectorAll<HTMLInputElement>(`input[name="${name}"]:checked`)]
      answer(name, boxes.length > 0 ? boxes.map(box => box.value) : undefined)
    } else if (target.closest('[data-scale]')) answer(name, Number(value))
    else answer(name, value.trim() === '' ? undefined : value)
    // What was said to be missing has gone from above it: nothing may move under the finger.
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' })
  })
  let isSending = false
  form.addEventListener('submit', async event => {
    event.preventDefault()
    if (isSending) return
    const answers = given()
    const open = missingAnswers(poll, answers)
    if (open.length > 0) {
      sayMissing(open)
      form.querySelector(`[data-question="${open[0]}"]`)?.before(missing)
      missing.focus({ preventScroll: true })
      missing.scrollIntoView({ block: 'start' })
      return
    }
    isSending = true
    button.setAttribute('aria-disabled', 'true')
    submitPoll(poll, answers, newAttemptKey())
    kept.set({})
    // It goes on in any case; what does not arrive is kept, and the next page sends it again.
    await sendPolls(deliverPoll)
    location.assign(pathAfterPoll(language))
  })

  form.querySelector('[data-action="skip"]')?.addEventListener('click', event => {
    event.preventDefault()
    kept.set({})
    location.assign(senderPath(language, isAfterPayment.get() ? 'no-refresh/checkout' : 'intro'))
  })

  paint()
  onReturn(() => {
    isSending = false
    paint()
  })
}
