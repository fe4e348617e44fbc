/** A poll: answers are kept as they are given, and sent once, when the visitor says so (decisions §11). */
import { entryScreen } from '#domain/campaign/entry.ts'
import { isLanguage } from '#domain/languages.ts'
import {
  bandOf,
  isPollId,
  missingAnswers,
  type PollAnswers,
  type PollId,
  screenAfterPayment,
} from '#domain/polls/polls.ts'
import { TIMINGS } from '#domain/timings.ts'
import { hasScreen, senderPath } from '#paths'
import { currencyFor } from '#stores/currency.ts'
import { entryVisitor } from '#stores/entry.ts'
import {
  $poll1Completed,
  $poll2Completed,
  $wantsPoll2,
  isAfterPayment,
  pollAnswers,
  pollState,
} from '#stores/polls.ts'
import { saveEvent } from '#wire/analytics-client.ts'

const { lang } = document.documentElement
const language = isLanguage(lang) ? lang : 'en'

/** Where the polls lead: on after a payment, else as the entry does. */
const onward = (): string =>
  senderPath(
    language,
    isAfterPayment.get() ? screenAfterPayment(pollState()) : entryScreen(entryVisitor(), hasScreen),
  )

const form = document.querySelector<HTMLFormElement>('form[data-poll]')
const poll = form?.dataset.poll
if (form && isPollId(poll)) show(form, poll)
else askForSecond()

/** The question whether to do the second poll. */
function askForSecond(): void {
  document.addEventListener('click', ({ target }) => {
    const answer = target instanceof Element ? target.closest<HTMLElement>('[data-wants]')?.dataset.wants : ''
    if (answer !== 'yes' && answer !== 'no') return
    $wantsPoll2.set(answer)
    location.assign(onward())
  })
}

function show(form: HTMLFormElement, poll: PollId): void {
  const $answers = pollAnswers(poll)
  const button = form.querySelector<HTMLButtonElement>('[data-action="continue"]')
  const missing = form.querySelector<HTMLElement>('[data-missing]')
  if (!button || !missing) return

  const band = bandOf(currencyFor(navigator.languages))
  for (const option of form.querySelectorAll<HTMLElement>('[data-band]'))
    option.hidden = option.dataset.band !== band

  const paint = (): void => {
    const answers = $answers.get()
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      const answer = answers[field.name]
      if (field.type === 'radio' || field.type === 'checkbox')
        (field as HTMLInputElement).checked = [answer].flat().includes(field.value)
      else if (document.activeElement !== field)
        field.value = String(answer ?? (field.type === 'range' ? 0 : ''))
    }
    for (const output of form.querySelectorAll('output')) {
      const answer = answers[output.htmlFor.value]
      output.value = String(answer ?? output.dataset.none)
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
    const { [name]: _, ...others } = $answers.get()
    $answers.set(value === undefined ? others : { ...others, [name]: value })
    paint()
    // Which question, and never what: it tells where a poll is given up.
    clearTimeout(timers.get(name))
    const tell = (): unknown =>
      dispatchEvent(
        new CustomEvent('gift:track', {
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
    } else if (type === 'range') answer(name, Number(value))
    else answer(name, value.trim() === '' ? undefined : value)
    // What was said to be missing has gone from above it: nothing may move under the finger.
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' })
  })
  // A scale that stands at 0 says nothing until it is touched, and then 0 is an answer as well. A finger makes no click
  // of a tap on the thumb, and a key that would go below 0 changes nothing.
  for (const scale of form.querySelectorAll<HTMLInputElement>('input[type="range"]')) {
    const here = (): void => answer(scale.name, Number(scale.value))
    for (const event of ['pointerup', 'click']) scale.addEventListener(event, here)
    scale.addEventListener('keyup', ({ key }) => /^(Arrow|Home|Page)/.test(key) && here())
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    const answers = $answers.get()
    const open = missingAnswers(poll, answers)
    if (open.length > 0) {
      sayMissing(open)
      form.querySelector(`[data-question="${open[0]}"]`)?.before(missing)
      missing.focus({ preventScroll: true })
      missing.scrollIntoView({ block: 'start' })
      return
    }
    void saveEvent({
      name: 'poll-submitted',
      sessionId: '',
      currentUrl: location.pathname,
      metadata: { poll, answers },
      isAnonymous: true,
    })
    ;(poll === 'poll-1' ? $poll1Completed : $poll2Completed).set(true)
    $answers.set({})
    location.assign(onward())
  })

  form.querySelector('[data-action="skip"]')?.addEventListener('click', event => {
    event.preventDefault()
    location.assign(senderPath(language, isAfterPayment.get() ? 'no-refresh/checkout' : 'intro'))
  })

  $answers.subscribe(paint)
}
