/** Checks the public ledger on a press: all of it, one line, or the draws of unused cards. */
import { dayOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Sums } from '#domain/public-ledger/verify.ts'
import type { Cosignature } from '#domain/public-ledger/witness.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import drawsFile from '#screens/shared/ledger/draws.ts?own-file'
import verifierFile from '#screens/shared/ledger/verifier.ts?own-file'

const root = document.querySelector<HTMLElement>('[data-ledger]')
if (root) listen(root)

function listen(root: HTMLElement): void {
  const of = <Found extends Element>(selector: string): Found => root.querySelector<Found>(selector)!
  const text = (name: string, values: Readonly<Record<string, string | number>> = {}): string =>
    fill(root.dataset[name] ?? '', values)
  const { verifier = '', lines = '0', address = '/ledger/' } = root.dataset
  const language = document.documentElement.lang as Language
  const witnesses = JSON.parse(root.dataset.witnesses ?? '[]') as readonly string[]
  const names = JSON.parse(root.dataset.names ?? '{}') as Readonly<Record<string, string>>
  const all = of<HTMLButtonElement>('[data-action="check-all"]')
  const stop = of<HTMLButtonElement>('[data-action="stop"]')
  const bar = of<HTMLProgressElement>('progress')
  const said = of<HTMLElement>('[data-said]')
  const saidOfLine = of<HTMLElement>('[data-said-of-line]')
  const sums = of<HTMLElement>('[data-sums]')
  const form = of<HTMLFormElement>('form')
  let running: AbortController | undefined

  const money = (amount: number, currency: Currency): string =>
    formatMoney({ amount, currency }, language, 'always')
  const count = (number: number): string => new Intl.NumberFormat(language).format(number)
  const ask = (): {
    verifierText: string
    witnessTexts: readonly string[]
    address: string
    signal: AbortSignal
  } => {
    running?.abort()
    running = new AbortController()
    return { verifierText: verifier, witnessTexts: witnesses, address, signal: running.signal }
  }
  const load = async (): Promise<typeof import('#screens/shared/ledger/verifier.ts')> =>
    import(/* @vite-ignore */ verifierFile)

  const show = (balances: Sums): void => {
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
  const seenBy = (cosignatures: readonly Cosignature[]): string =>
    cosignatures.length === 0
      ? text('seenByNone')
      : cosignatures
          .map(({ witness, seconds }) =>
            text('seenBy', { name: witness, day: dayOf(seconds * 1_000, language) }),
          )
          .join(' ')

  /** Are these the figures that the site shows? undefined where they are of another head, or cannot be had. */
  const compare = async (size: number, balances: Sums): Promise<boolean | undefined> => {
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

  all.addEventListener('click', () => {
    void (async () => {
      const asked = ask()
      all.hidden = true
      stop.hidden = bar.hidden = false
      // The focus stays with the way on: a button that is hidden loses it.
      stop.focus()
      sums.hidden = true
      bar.value = 0
      said.textContent = text('checking', { lines: 0 })
      try {
        const { checkAll } = await load()
        const checked = await checkAll(asked, done => {
          bar.value = done
          // Not read out at each line.
          if (done % 256 === 0) said.textContent = text('checking', { lines: count(done) })
        })
        if (checked.outcome === 'good') {
          const { size, sums: balances, cosignatures, restored } = checked.found
          said.textContent = text('good', { lines: count(size) })
          if (witnesses.length > 0) said.append(` ${seenBy(cosignatures)}`)
          for (const { line, lost } of restored)
            said.append(` ${text('restored', { line: count(line), lines: count(lost) })}`)
          show(balances)
          const isSame = await compare(size, balances)
          if (isSame !== undefined) said.append(` ${text(isSame ? 'same' : 'other')}`)
        } else tell(said, checked)
      } catch {
        said.textContent = text('noAnswer')
      }
      const wasThere = document.activeElement === stop
      all.hidden = false
      if (wasThere) all.focus()
      stop.hidden = bar.hidden = true
    })()
  })
  stop.addEventListener('click', () => {
    running?.abort()
    all.hidden = false
    all.focus()
  })

  form.addEventListener('submit', event => {
    event.preventDefault()
    void (async () => {
      const number = Number(new FormData(form).get('line'))
      saidOfLine.textContent = '…'
      try {
        const checked = await (await load()).checkLine(ask(), number)
        if (checked.outcome === 'none') saidOfLine.textContent = text('lineNone', { lines })
        else if (checked.outcome !== 'good') tell(saidOfLine, checked)
        else {
          const { day, cause, amounts, currency } = checked.found
          saidOfLine.textContent = text('lineGood', {
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
          saidOfLine.append(list)
        }
      } catch {
        saidOfLine.textContent = text('noAnswer')
      }
    })()
  })

  const compute = root.querySelector<HTMLButtonElement>('[data-action="compute-draws"]')
  compute?.addEventListener('click', () => {
    void (async () => {
      const saidOfDraws = of<HTMLElement>('[data-said-of-draws]')
      const asked = ask()
      saidOfDraws.textContent = text('checking', { lines: 0 })
      try {
        const { computeDraws } = (await import(
          /* @vite-ignore */ drawsFile
        )) as typeof import('#screens/shared/ledger/draws.ts')
        const checked = await computeDraws(asked, done => {
          // Not read out at each line.
          if (done % 256 === 0) saidOfDraws.textContent = text('checking', { lines: count(done) })
        })
        if (checked.outcome !== 'good') return tell(saidOfDraws, checked)
        const { same, buyer, chance, wrong, chains } = checked.found
        const list = wrong.map(({ line, fault }) => {
          const why = text(`fault${fault[0]!.toUpperCase()}${fault.slice(1)}`)
          return text('drawWrongLine', { line, fault: why })
        })
        saidOfDraws.replaceChildren(
          ...(list.length > 0 ? [paragraph(text('drawWrong')), ...list.map(paragraph)] : []),
          paragraph(text('drawDone', { same: count(same), buyer: count(buyer), chance: count(chance) })),
          ...chains.map(chain =>
            paragraph(text(chain === root.dataset.quicknet ? 'drawSourceKnown' : 'drawSource', { chain })),
          ),
        )
      } catch {
        saidOfDraws.textContent = text('noAnswer')
      }
    })()
  })

  function paragraph(words: string): HTMLElement {
    const one = document.createElement('p')
    one.className = 'fault'
    one.textContent = words
    return one
  }

  function tell(where: HTMLElement, checked: { readonly outcome: string; readonly fault?: string }): void {
    const words = { bad: 'bad', stopped: 'stopped', none: 'bad' }[checked.outcome] ?? 'noAnswer'
    where.textContent = text(words)
    if (checked.fault === undefined) return
    const fault = document.createElement('code')
    fault.className = 'fault'
    fault.textContent = checked.fault
    where.append(' ', fault)
  }
}
