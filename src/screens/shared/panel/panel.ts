/**
 * Side panels: a published page of text (`/who-we-are`, `/share`, `/cookies-policy`) shown in a native dialog above
 * the screen it was asked from. Fetched with the page itself only when a control that opens one is touched, so that
 * no screen pays for it; where anything fails, the control is the link it was (screens/shared/panel/sender-footer.script.ts).
 */

import doorsCss from '#screens/shared/kit/doors.css?inline'
import textCss from '#screens/shared/kit/text.css?inline'
import newsletterCss from '#screens/shared/newsletter/newsletter.css?inline'
import newsletterFile from '#screens/shared/newsletter/newsletter.ts?own-file'
import panelCss from '#screens/shared/panel/panel.css?inline'
import shareCss from '#screens/shared/share/share.css?inline'
import { showShareControls } from '#screens/shared/share/share.ts'
import { makeDraggable } from './drag.ts'
import { followFromPanel, isPanelEntry, isPanelOpen, PANEL_ENTRY, stepBack, steppedBack } from './history.ts'

interface Content {
  readonly title: string
  readonly closeLabel: string
  readonly parts: readonly Node[]
}

const newsletter = (): Promise<typeof import('#screens/shared/newsletter/newsletter.ts')> =>
  import(/* @vite-ignore */ newsletterFile)

const pages = new Map<string, Promise<string>>()
let isStyled = false

/** The page of a panel's text, fetched once; one that fails is asked for again the next time. */
export function fetchPage(path: string): Promise<string> {
  const page = pages.get(path) ?? readPage(path)
  pages.set(path, page)
  page.catch(() => pages.delete(path))
  return page
}

async function readPage(path: string): Promise<string> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`)
  return answer.text()
}

/** Only <main> is parsed: the page's own inline styles are outside this page's policy. */
function contentOf(html: string): Content {
  const main = new DOMParser()
    .parseFromString(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '', 'text/html')
    .querySelector('main')
  const heading = main?.querySelector('h1')
  if (!main || !heading) throw new Error('no text for the panel')
  heading.remove()
  for (const script of main.querySelectorAll('script')) script.remove()
  return { title: heading.textContent, closeLabel: main.dataset.close ?? '×', parts: [...main.childNodes] }
}

/**
 * Opens the panel of a page; the focus goes to its heading, and back to `opener` when it closes. The panel has an
 * entry of its own in the tab's history, so that Back on a phone closes it and leaves the screen alone.
 * @throws when the page cannot be had
 */
export async function openPanel(name: string, path: string, opener: HTMLElement): Promise<void> {
  const content = contentOf(await fetchPage(path))
  await steppedBack()
  // A second tap while the page was under way.
  if (isPanelOpen()) return
  style()
  const panel = build(name, content)
  document.body.append(panel)
  showShareControls(panel)
  if (panel.querySelector('[data-newsletter]'))
    newsletter()
      .then(({ enhanceNewsletter }) => enhanceNewsletter(panel))
      .catch(() => {})
  const onBack = (): void => panel.close()
  addEventListener('popstate', onBack, { once: true })
  panel.addEventListener('close', () => {
    removeEventListener('popstate', onBack)
    // Closed otherwise than by Back, and no other panel has its entry.
    if (isPanelEntry() && !isPanelOpen()) stepBack()
    opener.focus()
    // It still slides away; gone once that is over, or at once where nothing moves.
    void Promise.allSettled(panel.getAnimations().map(({ finished }) => finished)).then(() => panel.remove())
  })
  // A panel that is closed at this moment has not left its entry yet: this one takes it over.
  if (!isPanelEntry()) history.pushState(PANEL_ENTRY, '')
  panel.showModal()
}

function build(name: string, { title, closeLabel, parts }: Content): HTMLDialogElement {
  const panel = make('dialog', { class: 'panel', 'data-panel-name': name, 'aria-labelledby': 'panel-title' })
  const head = make('header', { class: 'panel-head' })
  const heading = make('h2', { id: 'panel-title', class: 'panel-title', tabindex: '-1', autofocus: '' })
  const close = make('button', {
    type: 'button',
    class: 'panel-close',
    'data-action': 'close',
    'aria-label': closeLabel,
  })
  const body = make('div', { class: 'panel-body' })
  heading.textContent = title
  close.textContent = '×'
  head.append(heading, close)
  body.append(...parts)
  panel.append(head, body)

  close.addEventListener('click', () => panel.close())
  panel.addEventListener('click', ({ target, clientX, clientY, detail }) => {
    const { left, right, top, bottom } = panel.getBoundingClientRect()
    const beside = clientX < left || clientX > right || clientY < top || clientY > bottom
    // A key that presses a control inside counts as a click at 0, 0. The second of two taps was meant for the opener.
    if (target === panel && beside && detail < 2) panel.close()
  })
  panel.addEventListener('click', followFromPanel)
  makeDraggable(panel, head)
  return panel
}

function make<Tag extends 'dialog' | 'header' | 'h2' | 'button' | 'div'>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

/** A sheet of its own: the page's policy allows no further inline style. */
function style(): void {
  if (isStyled) return
  isStyled = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(textCss + doorsCss + shareCss + newsletterCss + panelCss)
  document.adoptedStyleSheets.push(sheet)
}
