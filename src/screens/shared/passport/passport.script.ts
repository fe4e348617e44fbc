/** Checks a line of the card's own on a press: that it stands in the public ledger, and that it is of this card. */
import checkFile from './check-own.ts?own-file'

const root = document.querySelector<HTMLElement>('[data-passport]')
root?.addEventListener('click', ({ target }) => {
  const line = (target as Element).closest<HTMLElement>('[data-action="check-my-line"]')?.dataset.line
  if (!line) return
  const said = root.querySelector<HTMLElement>('[role="status"]')!
  said.textContent = '…'
  const work = async (): Promise<void> => {
    const { check }: typeof import('./check-own.ts') = await import(/* @vite-ignore */ checkFile)
    await check(root, said, JSON.parse(line))
  }
  work().catch(() => {
    said.textContent = root.dataset.noAnswer ?? ''
  })
})
