import { fill } from '#screens/shared/kit/fill.ts'
import type { Station } from '#wire/gift-card.ts'

/** Puts the stations that a receipt shows below those that the card's key shows. */
export function addStations(stations: readonly Station[]): void {
  const root = document.querySelector<HTMLElement>('[data-passport]')
  const template = root?.querySelector<HTMLTemplateElement>('template[data-station]')
  if (!root || !template) return
  root.querySelector('tbody')?.append(
    ...stations.map(({ name, text, line }) => {
      const row = document.importNode(template.content, true)
      row.querySelector('th')!.textContent = name
      row.querySelector('[data-text]')!.textContent = text
      const [ofLine, button] = [row.querySelector('[data-of-line]')!, row.querySelector('button')]
      if (line) {
        ofLine.textContent = fill(root.dataset.line ?? '', { number: line.number })
        button?.setAttribute('data-line', JSON.stringify(line))
        button?.querySelector('span')?.replaceChildren(` (${name})`)
      } else {
        ofLine.remove()
        button?.remove()
      }
      return row
    }),
  )
}
