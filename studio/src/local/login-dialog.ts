/** How the page asks for the token: the answer of the site's own login form. */
export type SendToken = (token: string) => Promise<'in' | 'wrong' | 'too-often' | 'unreachable'>

const SAYS = {
  wrong: 'This is not the token. Check that it is complete and try again.',
  'too-often': 'There were too many tries. Wait a minute, then try again.',
  unreachable: 'The site does not answer. Try again in a moment.',
} as const

const STYLE = `
.log-in { margin: auto; border: 0; border-radius: 6px; padding: 24px; width: min(380px, calc(100vw - 32px)); box-sizing: border-box;
  font: 15px/1.45 system-ui, sans-serif; color: #1b1d27; background: #fff; box-shadow: 0 12px 48px rgb(0 0 0 / 30%) }
.log-in::backdrop { background: rgb(20 22 30 / 55%) }
.log-in h2 { margin: 0 0 8px; font-size: 20px }
.log-in p { margin: 0 0 16px }
.log-in label { display: block; font-weight: 600; margin-bottom: 4px }
.log-in input, .log-in button { width: 100%; min-height: 44px; box-sizing: border-box; border-radius: 4px; font: inherit }
.log-in input { border: 1px solid #6e7683; padding: 0 12px; margin-bottom: 8px; color: inherit; background: #fff }
.log-in [role=alert] { color: #a8192b; margin-bottom: 8px }
.log-in [role=alert]:empty { display: none }
.log-in button { border: 0; margin-top: 8px; font-weight: 600; color: #fff; background: #272932; cursor: pointer }
.log-in button[aria-disabled=true] { opacity: .6 }`

const CONTENT = `<style>${STYLE}</style>
<h2 id="log-in-title">Your session is over</h2>
<p id="log-in-says">What you typed is still here. Log in, and the Studio goes on where it was.</p>
<form>
  <label for="log-in-token">Token</label>
  <input id="log-in-token" type="password" autocomplete="current-password" spellcheck="false" required
    aria-describedby="log-in-refused">
  <p id="log-in-refused" role="alert"></p>
  <button type="submit">Log in</button>
</form>`

/**
 * Asks for the token above the Studio, which stays as it is. Resolves once the operator is logged in, here or, as
 * seen when they come back to this window, in another one.
 */
export function askForToken(
  page: Document,
  sendToken: SendToken,
  isLoggedIn: () => Promise<boolean>,
): Promise<void> {
  const dialog = page.createElement('dialog')
  dialog.className = 'log-in'
  dialog.setAttribute('aria-labelledby', 'log-in-title')
  dialog.setAttribute('aria-describedby', 'log-in-says')
  dialog.innerHTML = CONTENT
  const part = <E extends Element>(selector: string) => dialog.querySelector(selector) as E
  const token = part<HTMLInputElement>('input')
  const button = part<HTMLButtonElement>('button')
  page.body.append(dialog)
  dialog.showModal()

  return new Promise(resolve => {
    const done = () => {
      page.removeEventListener('visibilitychange', look)
      dialog.remove()
      resolve()
    }
    const look = () => {
      if (page.visibilityState === 'visible') void isLoggedIn().then(is => is && done())
    }
    page.addEventListener('visibilitychange', look)
    // Without a session there is nothing to go back to.
    dialog.addEventListener('cancel', event => event.preventDefault())
    dialog.addEventListener('close', () => dialog.isConnected && dialog.showModal())
    part<HTMLFormElement>('form').addEventListener('submit', async event => {
      event.preventDefault()
      if (button.getAttribute('aria-disabled') === 'true') return
      button.setAttribute('aria-disabled', 'true')
      const answer = await sendToken(token.value)
      button.removeAttribute('aria-disabled')
      if (answer === 'in') return done()
      part('[role=alert]').textContent = SAYS[answer]
      token.focus()
      token.select()
    })
  })
}
