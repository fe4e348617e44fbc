/**
 * Runs in the head of the page behind a gift's link, before anything else of it. It takes the key out of the address
 * bar, trades it for a handle, and leads to the gift. Where that fails, the form below has the link, to try again.
 */
import { OPEN_GIFT_PATH } from '#wire/api-paths.ts'
import { OPENED_KEY } from '#wire/browser-names.ts'
import { request } from '#wire/client.ts'

const page = document.documentElement.classList

async function open(): Promise<void> {
  const { hash: link, pathname, search } = location
  // The way to the page's content is no gift's.
  if (link.length < 2 || link === '#content') return
  history.replaceState(history.state, '', pathname + search)
  page.add('opening')
  const answer = await request<{ readonly to: string }>(OPEN_GIFT_PATH, { body: { link } })
  // The first load in a browser session leads to the beginning of the story, but not where a link names another place.
  if (link.includes('/'))
    try {
      sessionStorage.setItem(OPENED_KEY, '1')
    } catch {
      // Storage is blocked: then no screen leads to the beginning.
    }
  // In the place of this page: Back leads to where the link stood.
  if (answer.ok) return location.replace(answer.value.to)
  if (document.readyState === 'loading')
    await new Promise(ready => addEventListener('DOMContentLoaded', ready))
  const form = document.querySelector<HTMLFormElement>('form[data-reasons]')!
  const [field, why] = [form.querySelector('input')!, form.querySelector('[role="alert"]')!]
  const reasons = JSON.parse(form.dataset.reasons!)
  page.remove('opening')
  field.value = link
  field.ariaInvalid = 'true'
  why.textContent = reasons[answer.code] ?? reasons['something-went-wrong']
  field.focus()
}

void open()
// Another link, pasted into the address bar of this page, loads nothing anew.
addEventListener('hashchange', open)
