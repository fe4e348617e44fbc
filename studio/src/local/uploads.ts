import { MOST_PICTURE_BYTES } from '../product.ts'

/** Tells the operator why this file was not kept. */
export type TellRefused = (file: string, reason: string) => void

const UPLOAD = /\/assets\/(?:images|files)\//
const TOO_LARGE = 'It is larger than 20 MB. Make it smaller, and choose it again.'
const BROKEN_OFF = 'The connection broke off on the way. Choose it again in a moment.'

/**
 * Has every upload that is refused say why. The Studio sends files with XMLHttpRequest, to show how far they are, and has
 * one sentence for whatever went wrong. A file that is too large is not sent at all: browsers hear an early refusal only
 * once they have sent everything.
 * @param page whose XMLHttpRequest is replaced
 */
export function explainRefusedUploads(
  page: { XMLHttpRequest: typeof XMLHttpRequest },
  tell: TellRefused,
): void {
  page.XMLHttpRequest = class extends page.XMLHttpRequest {
    #isUpload = false
    #file = ''

    constructor() {
      super()
      // Before the Studio's own: that one gives the request up, which then knows no status any more.
      this.addEventListener('load', () => {
        if (this.#isUpload && this.status >= 400) tell(this.#file, reasonIn(this.status, this.responseText))
      })
      this.addEventListener('error', () => {
        if (this.#isUpload) tell(this.#file, BROKEN_OFF)
      })
    }

    override open(method: string, url: string | URL, async = true, user?: string, password?: string): void {
      this.#isUpload = UPLOAD.test(String(url))
      super.open(method, url, async, user, password)
    }

    override send(body?: Document | XMLHttpRequestBodyInit | null): void {
      this.#file = body instanceof File ? body.name : ''
      if (this.#isUpload && body instanceof Blob && body.size > MOST_PICTURE_BYTES) {
        tell(this.#file, TOO_LARGE)
        this.#isUpload = false
        queueMicrotask(() => this.dispatchEvent(new Event('error')))
        return
      }
      super.send(body)
    }
  }
}

/** The site's own sentence; a proxy before it, or a session that is over, has none. */
function reasonIn(status: number, answer: string): string {
  if (status === 413) return TOO_LARGE
  if (status === 401) return 'Your session is over. Log in again, then choose it again.'
  try {
    const { message } = JSON.parse(answer) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {}
  return `The site answered with status ${status}. Choose it again in a moment.`
}

const STYLE = `
.refused-files { position: fixed; z-index: 1000000; left: 16px; bottom: 16px; width: min(420px, calc(100vw - 32px)); box-sizing: border-box;
  padding: 16px; border-radius: 6px; font: 15px/1.45 system-ui, sans-serif; color: #fff; background: #a8192b;
  box-shadow: 0 8px 32px rgb(0 0 0 / 30%); max-height: 50vh; overflow: auto; overflow-wrap: anywhere }
@media (max-width: 599px) { .refused-files { bottom: 64px } }
.refused-files p { margin: 0 0 12px }
.refused-files strong { display: block; font-weight: 600 }
.refused-files button { min-height: 44px; min-width: 44px; border: 1px solid; border-radius: 4px; padding: 0 16px; font: inherit; color: inherit;
  background: none; cursor: pointer }`

/** Says it above the Studio, which stays as it is, until the operator closes it. What is refused meanwhile joins it. */
export function tellOfRefusedFile(page: Document): TellRefused {
  let notice: HTMLElement | undefined
  const open = (): HTMLElement => {
    const opened = page.createElement('div')
    opened.className = 'refused-files'
    opened.setAttribute('role', 'alert')
    const style = page.createElement('style')
    style.textContent = STYLE
    const close = page.createElement('button')
    close.type = 'button'
    close.textContent = 'Close'
    close.addEventListener('click', () => {
      opened.remove()
      notice = undefined
    })
    page.body.append(opened)
    opened.append(style, close)
    return opened
  }
  return (file, reason) => {
    notice ??= open()
    const said = page.createElement('p')
    const name = page.createElement('strong')
    name.textContent = file === '' ? 'The file was not kept.' : `“${file}” was not kept.`
    said.append(name, reason)
    notice.lastElementChild?.before(said)
  }
}
