/**
 * Hands an island to React. It takes the place of what @astrojs/react brings for the browser (layouts/islands-plugin.ts),
 * which also knows children, slots and answers of forms that no island of ours has.
 */
import { type ComponentType, createElement, type ReactNode, startTransition, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

/** Tells when what it holds listens, and knows what the browser has kept: effects of the parts within run first. */
function Told({
  onLive,
  children,
}: {
  readonly onLive: () => void
  readonly children?: ReactNode
}): ReactNode {
  useEffect(onLive, [onLive])
  return children
}

/**
 * @returns resolves once a press finds the part as the browser shows it: before, React would answer it with what the
 *   page said when it was rendered, without the visitor's choices
 */
const render =
  (island: Element) =>
  (
    part: ComponentType,
    props: object,
    _slots: object,
    { client }: { readonly client: string },
  ): Promise<void> =>
    new Promise(onLive =>
      startTransition(() => {
        const element = createElement(Told, { onLive }, createElement(part, props))
        // Rendered in the browser alone: nothing of it stands in the page.
        if (client === 'only') createRoot(island).render(element)
        else hydrateRoot(island, element, { identifierPrefix: island.getAttribute('prefix') ?? '' })
      }),
    )

export default render
