/** Shows the answer of a call below it. Without scripts, and with a press that opens another tab, its link is followed. */
const MOST_CHARACTERS = 20_000
const root = document.querySelector<HTMLElement>('[data-calls]')

/** The first line, which is said aloud, and the body, which may be long. */
interface Answer {
  readonly status: string
  readonly body: string
}

async function answerOf(address: string): Promise<Answer> {
  const answer = await fetch(address)
  const type = answer.headers.get('content-type') ?? ''
  const said = type.includes('octet-stream') ? `${(await answer.blob()).size} B` : await answer.text()
  const shown = type.includes('json') ? JSON.stringify(JSON.parse(said), null, 2) : said
  return { status: `${answer.status} ${type}`, body: shown.slice(0, MOST_CHARACTERS) }
}

root?.addEventListener('click', async event => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-call]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const operation = link.closest<HTMLElement>('.operation')!
  const said = operation.querySelector('[role="status"]')!
  const box = operation.querySelector<HTMLElement>('.answer')!
  said.textContent = '…'
  const none = { status: root.dataset.noAnswer ?? '', body: '' }
  const { status, body } = await answerOf(link.href).catch(() => none)
  said.textContent = status
  box.querySelector('pre')!.textContent = body
  box.hidden = body === ''
  const last = box.hidden ? said : box
  last.scrollIntoView({ block: 'nearest' })
})
