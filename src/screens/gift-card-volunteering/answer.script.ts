/** The recipient's answer: kept when the button says so, and changed as often as they like. */
import { inAWhile } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import { isAnswer } from '#domain/volunteering/answer.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { sendAnswer } from '#wire/volunteering-client.ts'

const form = document.querySelector<HTMLFormElement>('form[data-answer]')
const status = form?.querySelector<HTMLElement>('#answer-missing')
const button = form?.querySelector<HTMLButtonElement>('[data-action="answer"]')
const tell = form?.querySelector<HTMLInputElement>('input[name="tell"]')
const accepted = document.querySelector<HTMLElement>('[data-accepted]')

if (form && status && button && tell && accepted) {
  const chosen = (): string | undefined =>
    form.querySelector<HTMLInputElement>('input[name="answer"]:checked')?.value
  const say = (words: string | undefined, isError: boolean): void => {
    status.textContent = words ?? ''
    status.classList.toggle('error', isError)
  }
  /** When it can be said again, in words; undefined where nobody knows. */
  const waitOf = (seconds: number | undefined): string | undefined =>
    seconds
      ? fill(status.dataset.wait ?? '', {
          when: inAWhile(seconds, document.documentElement.lang as Language),
        })
      : undefined

  const paint = (): void => button.setAttribute('aria-disabled', String(chosen() === undefined))

  form.addEventListener('change', () => {
    say('', false)
    paint()
  })
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const answer = chosen()
    if (button.ariaBusy === 'true') return
    if (!isAnswer(answer)) return say(status.dataset.missing, true)
    button.ariaBusy = 'true'
    button.textContent = button.dataset.loading ?? ''
    const saved = await sendAnswer(form.dataset.answer ?? '', { answer, tellGiver: tell.checked })
    button.ariaBusy = 'false'
    button.textContent = button.dataset.save ?? ''
    if (!saved.ok) {
      const words: Partial<Record<typeof saved.code, string | undefined>> = {
        network: status.dataset.network,
        'too-many-requests': waitOf(saved.retryAfterSeconds) ?? status.dataset.tooMany,
        'card-not-found': status.dataset.gone,
      }
      return say(words[saved.code] ?? status.dataset.failed, true)
    }
    form.dataset.answered = answer
    // Said for this answer only: another one is told when it is said again.
    tell.checked = false
    accepted.hidden = answer !== 'accept'
    say(saved.value.isTold ? status.dataset.told : status.dataset.kept, false)
  })
  paint()
}
