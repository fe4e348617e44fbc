/**
 * Takes the session out of the address bar, and asks at once what became of its payment. Whoever loads the page anew before
 * there is an answer is asked for the same one: the history of this tab keeps it.
 */
const asking = document.querySelector<HTMLFormElement>('form[data-asks]')
const sessionField = asking?.querySelector<HTMLInputElement>('[name="session"]')
const session: unknown = sessionField?.value || history.state?.session
if (location.search.includes('session_id'))
  history.replaceState({ ...history.state, session }, '', location.pathname)
if (asking && sessionField && typeof session === 'string') {
  sessionField.value = session
  asking.requestSubmit()
}
