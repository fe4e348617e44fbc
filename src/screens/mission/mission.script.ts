/** The mission screen: plain markup that this script listens to. Continue says what is missing. */
import { languageOf } from '#domain/languages.ts'
import {
  cleanMission,
  MISSION_LENGTH,
  type MissionChoice,
  readMission,
} from '#domain/volunteering/mission.ts'
import { $mission, missingVolunteeringStep } from '#screens/shared/choices/volunteering.store.ts'
import { keepChange, nextScreenPath } from '#screens/shared/flow/continue.ts'
import { fill } from '#screens/shared/kit/fill.ts'

const form = document.querySelector<HTMLFormElement>('form[data-mission]')
if (form) show(form)

function show(form: HTMLFormElement): void {
  const options = [...form.querySelectorAll<HTMLInputElement>('input[type="radio"]')]
  const field = form.querySelector<HTMLTextAreaElement>('textarea')
  const own = form.querySelector<HTMLElement>('[data-own]')
  const left = form.querySelector<HTMLElement>('[data-left]')
  const error = form.querySelector<HTMLElement>('#mission-error')
  const missing = form.querySelector<HTMLElement>('#mission-missing')
  const button = form.querySelector<HTMLButtonElement>('[data-action="continue"]')
  if (!field || !own || !left || !error || !missing || !button) return
  const listedIds = options.flatMap(({ dataset }) => (dataset.id === undefined ? [] : [dataset.id]))
  const { lang } = document.documentElement
  const language = languageOf(lang)
  keepChange()
  let tried = false

  const isOption = ({ value, dataset }: HTMLInputElement, choice: MissionChoice): boolean =>
    choice.kind === 'listed' ? dataset.id === choice.id : value === choice.kind

  const paint = (): void => {
    const choice = $mission.get()
    const mission = readMission(choice, listedIds)
    for (const option of options) option.checked = isOption(option, choice)
    own.hidden = choice.kind !== 'other'
    if (document.activeElement !== field && field.value !== choice.text) field.value = choice.text
    left.textContent = fill(left.dataset.left ?? '', {
      left: MISSION_LENGTH - [...field.value].length,
    })
    button.setAttribute('aria-disabled', String(!mission))
    const isGone = choice.kind === 'listed' && !mission
    const isBlank = tried && choice.kind === 'other' && !mission
    field.setAttribute('aria-invalid', String(isBlank))
    error.textContent = isBlank ? (error.dataset.words ?? '') : ''
    missing.textContent = isGone
      ? (missing.dataset.gone ?? '')
      : tried && choice.kind === undefined
        ? (missing.dataset.missing ?? '')
        : ''
  }

  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    tried = false
    const { id } = target.dataset
    const kind = target.value as NonNullable<MissionChoice['kind']>
    $mission.set({ kind, ...(id !== undefined && { id }), text: $mission.get().text })
    if (kind === 'other') field.focus()
  })
  field.addEventListener('input', () => $mission.set({ kind: 'other', text: field.value }))
  form.addEventListener('submit', event => {
    event.preventDefault()
    const choice = $mission.get()
    const mission = readMission(choice, listedIds)
    if (mission) {
      if (mission.kind === 'other') $mission.set({ kind: 'other', text: cleanMission(choice.text) })
      location.assign(
        nextScreenPath({
          screen: 'mission',
          language,
          way: 'volunteering',
          missing: missingVolunteeringStep,
        }),
      )
      return
    }
    tried = true
    paint()
    if (choice.kind === 'other') field.focus()
  })
  $mission.subscribe(paint)
  form.dataset.ready = ''
}
