import {
  type AskingStep,
  moveNewsletter,
  NEWSLETTER_START,
  type NewsletterEvent,
  type NewsletterForm,
  readNewsletter,
} from '#domain/newsletter/form.ts'
import { persisted } from '#screens/shared/storage/persisted.ts'
import { NEWSLETTER_KEY } from '#wire/browser-names.ts'
import type { Refusal } from '#wire/client.ts'

/** How far the visitor has come with the newsletter's form; kept, so that a closed panel loses nothing. */
export const $newsletter = persisted<NewsletterForm>(NEWSLETTER_KEY, NEWSLETTER_START, {
  read: text => {
    try {
      return readNewsletter(JSON.parse(text))
    } catch {
      return undefined
    }
  },
  write: form => (form === NEWSLETTER_START ? undefined : JSON.stringify(form)),
})

export function moveForm(event: NewsletterEvent): void {
  $newsletter.set(moveNewsletter($newsletter.get(), event))
}

/** The step whose field the server refused; the last one for every other failure. */
export function refusedStep({ code, fields }: Refusal): AskingStep {
  if (code !== 'invalid-fields') return 3
  const paths = fields.map(({ path }) => path)
  if (paths.includes('email')) return 1
  return paths.includes('name') ? 2 : 3
}
