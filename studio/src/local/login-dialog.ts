/** What the site's own login form answers. */
export type SignedIn = 'in' | 'wrong' | 'wrong-passkey' | 'cancelled' | 'too-often' | 'unreachable'

/** The two ways in: the token, and a passkey of this browser. */
export interface WaysIn {
  token(typed: string): Promise<SignedIn>
  passkey(): Promise<SignedIn>
}

const SAYS = {
  wrong: 'This is not the token. Check that it is complete and try again.',
  'wrong-passkey': 'This passkey is not known here. Use another one, or the token.',
  cancelled: 'Your device made no signature. Press again, or use the token.',
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
.log-in button[type=button] { color: inherit; background: none; border: 1px solid #6e7683 }
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
  <button type="button">Use a passkey</button>
</form>`

/**
 * Asks who it is above the Studio, which stays as it is. Resolves once the operator is logged in, here or, as
 * seen when they come back to this window, in another one.
 */
export function askForToken(page: Document, ways: WaysIn, isLoggedIn: () => Promise<boolean>): Promise<void> {
  const dialog = page.createElement('dialog')
  dialog.className = 'log-in'
  dialog.setAttribute('aria-labelledby', 'log-in-title')
  dialog.setAttribute('aria-describedby', 'log-in-says')
  dialog.innerHTML = CONTENT
  const part = <E extends Element>(selector: string) => dialog.querySelector(selector) as E
  const token = part<HTMLInputElement>('input')
  const buttons = dialog.querySelectorAll('button')
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
    let isAsking = false
    const enter = async (way: () => Promise<SignedIn>, back: () => void) => {
      if (isAsking) return
      isAsking = true
      for (const button of buttons) button.setAttribute('aria-disabled', 'true')
      const answer = await way()
      for (const button of buttons) button.removeAttribute('aria-disabled')
      isAsking = false
      if (answer === 'in') return done()
      part('[role=alert]').textContent = SAYS[answer]
      back()
    }
    part<HTMLFormElement>('form').addEventListener('submit', event => {
      event.preventDefault()
      void enter(
        () => ways.token(token.value),
        () => {
          token.focus()
          token.select()
        },
      )
    })
    const passkey = part<HTMLButtonElement>('button[type=button]')
    passkey.addEventListener('click', () => void enter(ways.passkey, () => passkey.focus()))
  })
}
