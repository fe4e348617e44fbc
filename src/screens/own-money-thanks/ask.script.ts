/** Takes the session out of the address bar, and asks at once what became of its payment. */
const asking = document.querySelector<HTMLFormElement>('form[data-asks]')
if (location.search.includes('session_id')) history.replaceState(history.state, '', location.pathname)
if (asking?.querySelector('button')) asking.requestSubmit()
