/** Shows the answer of a call below it. Without scripts, and with a press that opens another tab, its link is followed. */
const MOST_CHARACTERS = 20_000
const root = document.querySelector<HTMLElement>('[data-calls]')

async function answerOf(address: string): Promise<string> {
  const answer = await fetch(address)
  const type = answer.headers.get('content-type') ?? ''
  const said = type.includes('octet-stream') ? `${(await answer.blob()).size} B` : await answer.text()
  const shown = type.includes('json') ? JSON.stringify(JSON.parse(said), null, 2) : said
  return `${answer.status} ${type}\n\n${shown.slice(0, MOST_CHARACTERS)}`
}

root?.addEventListener('click', async event => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-call]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const box = link.closest('section')!.querySelector('pre')!
  box.hidden = false
  box.textContent = '…'
  box.scrollIntoView({ block: 'nearest' })
  box.textContent = await answerOf(link.href).catch(() => root.dataset.noAnswer ?? '')
  box.scrollIntoView({ block: 'nearest' })
})
