/**
 * Starts an island: fetches its part and React, and hands both what the page says. It stands in the page in the place of
 * Astro's own (layouts/islands-plugin.ts), which knows values and ways that no island of ours has and weighs a
 * kilobyte more. The code is asked for while the page is still being read.
 */
export {}

/** A value as Astro writes it in an attribute: plain, or a list. */
type Written = readonly [0, unknown] | readonly [1, readonly Written[]]
type Props = Readonly<Record<string, unknown>>
interface Part {
  readonly [name: string]: unknown
}
interface Renderer {
  readonly default: (
    island: Element,
  ) => (part: unknown, props: Props, slots: object, how: { readonly client: string }) => Promise<void>
}

const AGAIN_AFTER_MS = 1_000

const read = ([kind, value]: Written): unknown =>
  kind === 1
    ? value.map(read)
    : typeof value === 'object' && value !== null
      ? propsIn(value as Readonly<Record<string, Written>>)
      : value

function propsIn(written: Readonly<Record<string, Written>>): Props {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, read(value)]))
}

customElements.define(
  'astro-island',
  class extends HTMLElement {
    async connectedCallback(): Promise<void> {
      const said = (name: string): string => this.getAttribute(name) ?? ''
      /** Fetched, and once more a moment later under another address: a browser never asks again for what failed. */
      const fetched = async <T>(url: string): Promise<T> => {
        try {
          return (await import(/* @vite-ignore */ url)) as T
        } catch {
          await new Promise(resolve => setTimeout(resolve, AGAIN_AFTER_MS))
          const again = `${url}?again=${Date.now()}`
          return (await import(/* @vite-ignore */ again)) as T
        }
      }
      try {
        const [part, renderer] = await Promise.all([
          fetched<Part>(said('component-url')),
          fetched<Renderer>(said('renderer-url')),
          document.readyState === 'loading' &&
            new Promise(resolve => document.addEventListener('DOMContentLoaded', resolve)),
        ])
        const props = propsIn(JSON.parse(said('props')) as Readonly<Record<string, Written>>)
        await renderer.default(this)(part[said('component-export')], props, {}, { client: said('client') })
        this.removeAttribute('ssr')
        this.dispatchEvent(new CustomEvent('astro:hydrate'))
      } catch (error) {
        console.error(`[astro-island] ${said('component-url')}`, error)
        const notice = document.querySelector<HTMLElement>('[data-reload-notice]')
        if (!notice) return
        notice.hidden = false
        notice.querySelector('button')!.onclick = () => location.reload()
      }
    }
  },
)

// For the first amount the browser looks up how numbers are written, which takes a slow phone 40 ms and more: done after
// the first paint, while the island's code loads. What is asked for in a frame comes before its paint, what that puts off
// after it.
requestAnimationFrame(() => setTimeout(() => new Intl.NumberFormat(document.documentElement.lang)))
