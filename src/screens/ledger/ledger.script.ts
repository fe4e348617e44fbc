/** Listens for what checks the public ledger: all that it needs is fetched on the first press. */
import checksFile from './checks.ts?own-file'

const root = document.querySelector<HTMLElement>('[data-ledger]')

async function act(action: string, pressed: HTMLElement): Promise<void> {
  const said = root!.querySelector<HTMLElement>(`[data-${pressed.dataset.says}]`)!
  said.textContent = '…'
  try {
    const checks: typeof import('./checks.ts') = await import(/* @vite-ignore */ checksFile)
    await checks.act(root!, action, pressed)
  } catch {
    said.textContent = root!.dataset.noAnswer ?? ''
  }
  // An answer is longer than what was said while it was awaited.
  said.scrollIntoView({ block: 'nearest' })
}

root?.addEventListener('click', ({ target }) => {
  const pressed = (target as Element).closest<HTMLElement>('button[data-says]')
  if (pressed) void act(pressed.dataset.action!, pressed)
})
root?.addEventListener('submit', event => {
  event.preventDefault()
  const form = event.target as HTMLFormElement
  void act(form.dataset.action!, form)
})
