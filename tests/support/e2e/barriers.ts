import type { Page } from '@playwright/test'

/** What a visitor may set for every page (WCAG 2.2, 1.4.12). */
const WIDER_TEXT =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'

/**
 * What stands in somebody's way on the screen as it is, and that the rules of axe do not see: controls that are hard to
 * hit, have something else above their middle or, with forced colours, have no edge; links of the foot that are alone on
 * their line; small print that sticks to what stands above it; another order for eyes than for ears; words that are lost,
 * or a page that is too wide, with wider spaces between letters. Leaves the screen as it found it.
 */
export function barriers(page: Page): Promise<string[]> {
  return page.evaluate(widerText => {
    const shown = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
      part =>
        part.checkVisibility({ visibilityProperty: true }) &&
        !part.closest('.visually-hidden, .skip-link, svg, body:has(dialog[open]) > :not(dialog)'),
    )
    const named = (part: Element): string =>
      `${part.tagName} ${part.getAttribute('data-action') ?? part.id} ${part.textContent?.slice(0, 30)}`
    const controls = shown.filter(part => part.matches('a[href], button, input, select, textarea, summary'))
    /** What takes the presses of a control. */
    const areaOf = (control: HTMLElement): HTMLElement =>
      (control.matches('[type="radio"], [type="checkbox"]') && control.closest('label')) || control
    const isHardToHit = (control: HTMLElement): boolean => {
      // A link within a sentence is as high as its line (WCAG 2.2, 2.5.8).
      if (getComputedStyle(control).display === 'inline' && control.closest('.prose')) return false
      const { width, height } = areaOf(control).getBoundingClientRect()
      return width < 43.5 || height < 43.5
    }
    const hasForcedColours = matchMedia('(forced-colors: active)').matches
    const lacksEdge = (control: HTMLElement): boolean =>
      control.matches('.button, input:not([type="radio"], [type="checkbox"], [type="range"]), textarea') &&
      Number.parseFloat(getComputedStyle(control).borderTopWidth) === 0
    const isOutOfOrder = (part: HTMLElement): boolean => {
      const { order, flexDirection } = getComputedStyle(part)
      return order !== '0' || flexDirection.endsWith('reverse') || part.tabIndex > 0
    }
    /** What lies above a control's middle and is no part of it; null where nothing does. */
    const cover = (control: HTMLElement): Element | null => {
      const area = areaOf(control)
      area.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      // The first line of a link that is broken over several.
      const { x, y, width, height } = area.getClientRects()[0]!
      const above = document.elementFromPoint(x + width / 2, y + height / 2)
      return area.contains(above) ? null : above
    }
    /** The links of the foot's paragraphs, and of the foot beside them, that no other link shares its line with. */
    const alone = [...document.querySelectorAll('.page-foot, .page-foot p')].flatMap(row => {
      const links = [...row.querySelectorAll<HTMLElement>(':scope > .link')].filter(link =>
        shown.includes(link),
      )
      const isAlone = ({ offsetTop }: HTMLElement): boolean =>
        links.filter(other => Math.abs(other.offsetTop - offsetTop) < 8).length === 1
      return links.length > 1 ? links.filter(isAlone) : []
    })
    const sizeOf = (part: Element) => Number.parseFloat(getComputedStyle(part).fontSize)
    // Small print that touches a button, or text of another size, reads as a part of it.
    const sticks = (part: HTMLElement): boolean => {
      const above = part.previousElementSibling as HTMLElement
      // A link brings space of its own.
      if (!part.matches('p:not(:has(a, button))') || !shown.includes(above)) return false
      const { bottom, left, right } = above.getBoundingClientRect()
      const box = part.getBoundingClientRect()
      const isBelow = box.left < right && box.right > left && box.top > bottom - 1
      const isOther =
        above.matches('.button, form, .actions') || (above.matches('p') && sizeOf(above) !== sizeOf(part))
      return isBelow && isOther && box.top - bottom < 4
    }
    const scrolled = [scrollX, scrollY] as const
    const covered = controls.map(control => [control, cover(control)] as const).filter(([, by]) => by)
    scrollTo({ left: scrolled[0], top: scrolled[1], behavior: 'instant' })
    const found = [
      ...covered.map(([control, by]) => `covered: ${named(control)} by ${named(by!)}`),
      ...alone.map(link => `alone on its line: ${named(link)}`),
      ...shown.filter(sticks).map(part => `sticks: ${named(part)}`),
      ...controls.filter(isHardToHit).map(control => `small: ${named(control)}`),
      ...controls
        .filter(control => hasForcedColours && lacksEdge(control))
        .map(part => `no edge: ${named(part)}`),
      ...shown.filter(isOutOfOrder).map(part => `out of order: ${named(part)}`),
    ]
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(widerText)
    document.adoptedStyleSheets.push(sheet)
    // A long name is shortened above the screen; the first screen says it whole.
    const isCut = (part: HTMLElement): boolean =>
      part.childElementCount === 0 &&
      getComputedStyle(part).overflow === 'hidden' &&
      (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1) &&
      (part.textContent?.length ?? 0) < 40
    found.push(...shown.filter(isCut).map(part => `cut: ${named(part)}`))
    if (document.documentElement.scrollWidth > innerWidth) found.push('too wide with wider text')
    document.adoptedStyleSheets.pop()
    return found
  }, WIDER_TEXT)
}
