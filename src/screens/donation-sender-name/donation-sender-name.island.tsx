import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Language } from '#domain/languages.ts'
import { SENDER_NAME_LENGTH, type Sender } from '#domain/sender/sender-name.ts'
import { missingStep } from '#screens/shared/choices/missing-step.ts'
import { $sender, NO_SENDER, senderOf } from '#screens/shared/choices/sender.store.ts'
import { nextScreenPath } from '#screens/shared/flow/continue.ts'
import { guard } from '#screens/shared/flow/donation-guard.ts'
import { currentWay } from '#screens/shared/flow/way.store.ts'
import '#screens/shared/kit/gifts.css'
import { useChoice } from '#screens/shared/kit/use-browser-value.ts'

const SCREEN = 'donation-sender-name'

export const SENDER_NAME_TEXTS = [
  'donation-sender-name-title',
  'donation-sender-name-anonymous',
  'donation-sender-name-anonymous-note',
  'donation-sender-name-own',
  'donation-sender-name-own-note',
  'donation-sender-name-label',
  'donation-sender-name-missing',
  'mission-decide-later-error',
  'donation-sender-name-error-remedy',
  'common-continue',
] as const

interface Props {
  readonly language: Language
  readonly texts: Readonly<Record<(typeof SENDER_NAME_TEXTS)[number], string>>
}

/** Anonymous or an own name; Continue says what is missing while the choice is not complete. */
export default function SenderName({ language, texts }: Props) {
  const choice = useChoice($sender, NO_SENDER)
  const [tried, setTried] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  const asksForName = useRef(false)
  useEffect(() => guard(SCREEN, language), [language])
  // Once the field has appeared, which for a choice made while the page came alive takes more than a frame.
  useEffect(() => {
    if (!asksForName.current || !nameField.current) return
    asksForName.current = false
    nameField.current.focus()
  })

  const sender = senderOf(choice)
  const nameMissing = tried && choice.kind === 'own' && !sender
  const optionMissing = tried && choice.kind === undefined

  const choose = (kind: Sender['kind']): void => {
    setTried(false)
    asksForName.current = kind === 'own'
    $sender.set({ ...choice, kind })
  }

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (sender) {
      if (sender.kind === 'own') $sender.set(sender)
      location.assign(nextScreenPath({ screen: SCREEN, language, way: currentWay(), missing: missingStep }))
      return
    }
    setTried(true)
    if (choice.kind === 'own') nameField.current?.focus()
  }

  const option = (kind: Sender['kind'], title: string, note: string) => (
    <label>
      <input
        type="radio"
        name="sender"
        value={kind}
        checked={choice.kind === kind}
        onChange={() => choose(kind)}
        aria-describedby="sender-missing"
      />
      <span className="gift-text">
        <span className="gift-title">{title}</span>
        <span className="gift-line">{note}</span>
      </span>
    </label>
  )

  return (
    <form className="form" onSubmit={submit} noValidate>
      <fieldset className="gifts">
        <legend className="visually-hidden">{texts['donation-sender-name-title']}</legend>
        <div className="gift" data-sender="anonymous">
          {option(
            'anonymous',
            texts['donation-sender-name-anonymous'],
            texts['donation-sender-name-anonymous-note'],
          )}
        </div>
        <div className="gift" data-sender="own">
          {option('own', texts['donation-sender-name-own'], texts['donation-sender-name-own-note'])}
        </div>
      </fieldset>
      {choice.kind === 'own' && (
        <div className="field sender-field">
          <label htmlFor="sender-name">{texts['donation-sender-name-label']}</label>
          <input
            ref={nameField}
            id="sender-name"
            name="sender_name"
            value={choice.name}
            onChange={event => $sender.set({ kind: 'own', name: event.target.value })}
            maxLength={SENDER_NAME_LENGTH}
            autoComplete="name"
            enterKeyHint="next"
            required
            aria-invalid={nameMissing}
            aria-describedby="sender-name-error"
          />
          <p className="error" id="sender-name-error" role="status">
            {nameMissing &&
              `${texts['mission-decide-later-error']} ${texts['donation-sender-name-error-remedy']}`}
          </p>
        </div>
      )}
      <div className="actions" data-needs-script>
        <p className="error" id="sender-missing" role="status">
          {optionMissing && texts['donation-sender-name-missing']}
        </p>
        <button className="button" type="submit" data-action="continue" aria-disabled={!sender}>
          {texts['common-continue']}
        </button>
      </div>
    </form>
  )
}
