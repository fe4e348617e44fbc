/** What checks the public ledger and tells what came of it, as a file of its own: fetched on the first press. */
import { dayOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Sums } from '#domain/public-ledger/verify.ts'
import type { Cosignature } from '#domain/public-ledger/witness.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import drawsFile from '#screens/shared/ledger/draws.ts?own-file'
import lineFile from '#screens/shared/ledger/line-verifier.ts?own-file'
import type { Asked } from '#screens/shared/ledger/reading.ts'
import verifierFile from '#screens/shared/ledger/verifier.ts?own-file'

const language = document.documentElement.lang as Language
const money = (amount: number, currency: Currency): string =>
  formatMoney({ amount, currency }, language, 'always')
const count = (number: number): string => new Intl.NumberFormat(language).format(number)

let running: AbortController | undefined

/** The page as it was asked, and its words. */
function pageOf(root: HTMLElement) {
  const { verifier: verifierText = '', address = '/ledger/' } = root.dataset
  const witnessTexts = JSON.parse(root.dataset.witnesses ?? '[]') as readonly string[]
  const names = JSON.parse(root.dataset.names ?? '{}') as Readonly<Record<string, string>>
  return {
    names,
    witnessTexts,
    of: <Found extends Element>(selector: string): Found => root.querySelector<Found>(selector)!,
    text: (name: string, values: Readonly<Record<string, string | number>> = {}): string =>
      fill(root.dataset[name] ?? '', values),
    ask(): Asked {
      running?.abort()
      running = new AbortController()
      return { verifierText, witnessTexts, address, signal: running.signal }
    },
  }
}
type Page = ReturnType<typeof pageOf>

/**
 * Does what was pressed.
 * @param pressed the button, or the form that was sent
 * @throws where what checks cannot be had
 */
export async function act(root: HTMLElement, action: string, pressed: HTMLElement): Promise<void> {
  const page = pageOf(root)
  if (action === 'check-all') await checkAll(page)
  else if (action === 'check-line') await checkLine(page, pressed as HTMLFormElement)
  else if (action === 'compare') await compareKept(page, pressed as HTMLFormElement)
  else await computeDraws(root, page, pressed.dataset.line)
}

async function checkAll(page: Page): Promise<void> {
  const { of, text, ask, witnessTexts } = page
  const all = of<HTMLButtonElement>('[data-action="check-all"]')
  const stop = of<HTMLButtonElement>('[data-stop]')
  const bar = of<HTMLProgressElement>('progress')
  const said = of<HTMLElement>('[data-said]')
  const sums = of<HTMLElement>('[data-sums]')
  const asked = ask()
  all.hidden = true
  stop.hidden = bar.hidden = false
  stop.onclick = () => running?.abort()
  // The focus stays with the way on: a button that is hidden loses it.
  stop.focus()
  sums.hidden = true
  bar.value = 0
  said.textContent = text('checking', { lines: 0 })
  try {
    const { checkAll }: typeof import('#screens/shared/ledger/verifier.ts') = await import(
      /* @vite-ignore */ verifierFile
    )
    const checked = await checkAll(asked, done => {
      bar.value = done
      // Not read out at each line.
      if (done % 256 === 0) said.textContent = text('checking', { lines: count(done) })
    })
    if (checked.outcome !== 'good') return tell(page, said, checked)
    const { size, sums: balances, cosignatures, restored } = checked.found
    said.textContent = text('good', { lines: count(size) })
    if (witnessTexts.length > 0) said.append(` ${seenBy(page, cosignatures)}`)
    for (const { line, lost } of restored)
      said.append(` ${text('restored', { line: count(line), lines: count(lost) })}`)
    show(page, sums, balances)
    const isSame = await compare(size, balances)
    if (isSame !== undefined) said.append(` ${text(isSame ? 'same' : 'other')}`)
  } finally {
    const wasThere = document.activeElement === stop
    all.hidden = false
    if (wasThere) all.focus()
    stop.hidden = bar.hidden = true
  }
}

function show({ names }: Page, sums: HTMLElement, balances: Sums): void {
  sums.querySelector('tbody')!.replaceChildren(
    ...[...balances].flatMap(([currency, accounts]) =>
      [...accounts]
        .filter(([, amount]) => amount !== 0)
        .map(([account, amount]) => {
          const row = document.createElement('tr')
          const name = document.createElement('th')
          name.scope = 'row'
          name.textContent = names[account] ?? account
          row.append(name)
          row.insertCell().textContent = money(amount, currency)
          return row
        }),
    ),
  )
  sums.hidden = false
}

/** Who else has signed the head, and when. */
const seenBy = ({ text }: Page, cosignatures: readonly Cosignature[]): string =>
  cosignatures.length === 0
    ? text('seenByNone')
    : cosignatures
        .map(({ witness, seconds }) =>
          text('seenBy', { name: witness, day: dayOf(seconds * 1_000, language) }),
        )
        .join(' ')

/** Are these the figures that the site shows? undefined where they are of another head, or cannot be had. */
async function compare(size: number, balances: Sums): Promise<boolean | undefined> {
  const answer = await fetch('/api/public/figures').catch(() => undefined)
  if (!answer?.ok) return undefined
  const figures = (await answer.json()) as {
    size: number
    currencies: { currency: Currency; on_cards: number; in_transfer: number; paid_out: number }[]
  }
  if (figures.size !== size) return undefined
  return figures.currencies.every(({ currency, on_cards, in_transfer, paid_out }) => {
    const of = (account: string): number => balances.get(currency)?.get(account) ?? 0
    return of('cards') === on_cards && of('payouts-open') === in_transfer && of('payouts') === paid_out
  })
}

const loadLine = (): Promise<typeof import('#screens/shared/ledger/line-verifier.ts')> =>
  import(/* @vite-ignore */ lineFile)

async function checkLine(page: Page, form: HTMLFormElement): Promise<void> {
  const { of, text, names, ask } = page
  const said = of<HTMLElement>('[data-said-of-line]')
  const number = Number(new FormData(form).get('line'))
  const checked = await (await loadLine()).checkLine(ask(), number)
  if (checked.outcome === 'none') {
    said.textContent = text('lineNone')
    return
  }
  if (checked.outcome !== 'good') return tell(page, said, checked)
  const { day, cause, amounts, currency } = checked.found
  said.textContent = text('lineGood', {
    number,
    cause: names[`cause ${cause}`] ?? cause,
    day: dayOf(Date.parse(day), language),
  })
  const list = document.createElement('ul')
  for (const [account, amount] of amounts) {
    const item = document.createElement('li')
    item.textContent = `${names[account] ?? account} ${money(amount, currency)}`
    list.append(item)
  }
  said.append(list)
}

/** Does the ledger still begin with what a mail told of it? */
async function compareKept(page: Page, form: HTMLFormElement): Promise<void> {
  const said = page.of<HTMLElement>('[data-said-of-kept]')
  const written = new FormData(form)
  const size = Number(written.get('size'))
  const kept = { size, letters: String(written.get('letters')).trim() }
  const checked = await (await loadLine()).checkKept(page.ask(), kept)
  if (checked.outcome === 'good')
    said.textContent = page.text('keptGood', { size: count(size), lines: count(checked.found) })
  else tell(page, said, checked, 'keptBad')
}

/** @param line of the one draw that is wanted, from 1; all when missing */
async function computeDraws(root: HTMLElement, page: Page, line: string | undefined): Promise<void> {
  const { of, text, names, ask } = page
  const said = of<HTMLElement>('[data-said-of-draws]')
  const asked = ask()
  said.textContent = text('checking', { lines: 0 })
  // It stands above the draws, each of which has a button.
  said.scrollIntoView({ block: 'nearest' })
  const { computeDraws }: typeof import('#screens/shared/ledger/draws.ts') = await import(
    /* @vite-ignore */ drawsFile
  )
  const checked = await computeDraws(
    { ...asked, line: line === undefined ? undefined : Number(line) },
    done => {
      // Not read out at each line.
      if (done % 256 === 0) said.textContent = text('checking', { lines: count(done) })
    },
  )
  if (checked.outcome !== 'good') return tell(page, said, checked)
  const { same, buyer, chance, wrong, chains } = checked.found
  const list = wrong.map(({ line, fault }) => {
    const why = text(`fault${fault[0]!.toUpperCase()}${fault.slice(1)}`)
    return text('drawWrongLine', { line, fault: why })
  })
  const found =
    line === undefined
      ? [text('drawDone', { same: count(same.length), buyer: count(buyer), chance: count(chance) })]
      : same.map(({ account }) => text('drawOne', { line, organization: names[account] ?? account }))
  said.replaceChildren(
    ...(list.length > 0 ? [text('drawWrong'), ...list] : []).map(paragraph),
    ...found.map(paragraph),
    ...chains.map(chain =>
      paragraph(text(chain === root.dataset.quicknet ? 'drawSourceKnown' : 'drawSource', { chain })),
    ),
  )
}

function paragraph(words: string): HTMLElement {
  const one = document.createElement('p')
  one.className = 'fault'
  one.textContent = words
  return one
}

function tell(
  { text }: Page,
  where: HTMLElement,
  checked: { readonly outcome: string; readonly fault?: string },
  bad = 'bad',
): void {
  const words = { bad, stopped: 'stopped', none: bad }[checked.outcome] ?? 'noAnswer'
  where.textContent = text(words)
  if (checked.fault === undefined) return
  const fault = document.createElement('code')
  fault.className = 'fault'
  fault.textContent = checked.fault
  where.append(' ', fault)
}
