/**
 * Hands an island to React. It takes the place of what @astrojs/react brings for the browser (layouts/islands-plugin.ts),
 * which also knows children, slots and answers of forms that no island of ours has.
 */
import { type ComponentType, createElement, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

const render =
  (island: Element) =>
  (part: ComponentType, props: object, _slots: object, { client }: { readonly client: string }): void =>
    startTransition(() => {
      const element = createElement(part, props)
      // Rendered in the browser alone: nothing of it stands in the page.
      if (client === 'only') createRoot(island).render(element)
      else hydrateRoot(island, element, { identifierPrefix: island.getAttribute('prefix') ?? '' })
    })

export default render
