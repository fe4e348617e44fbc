import { Activity, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatMoney } from '#domain/money/format.ts'
import { fromUnits } from '#domain/money/money.ts'
import * as moves from '#domain/redemption/points.ts'
import { splitCredit } from '#domain/redemption/split.ts'
import { attemptKeyOf, forgetAttempt } from '#screens/select-ngo/attempt.store.ts'
import { keepSplit, readSplit } from '#screens/select-ngo/select-ngo.store.ts'
import { watchErrors } from '#screens/shared/kit/error-title.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import { isPanelEntry } from '#screens/shared/panel/history.ts'
import { keepReceipt } from '#screens/shared/receipt/receipts.store.ts'
import { showThanks } from '#screens/shared/receipt/show-thanks.ts'
import { newAttemptKey, redeemGiftCard } from '#wire/client.ts'
import { Confirm, type Sending } from './Confirm.tsx'
import { dropHint, untilTapped } from './hint.ts'
import { NgoRow } from './NgoRow.tsx'
import { inOwnCurrency } from './own-currency.ts'
import { focusPoints, takeOverForm } from './plain-form.ts'
import type { SelectNgoProps } from './props.ts'
import { useAnnouncer } from './use-announcer.ts'
import type { Opener } from './use-second-tap.ts'
import { useWholeControls } from './use-whole-controls.ts'

type View = 'hint' | 'list' | 'confirm' | 'given'

/**
 * The split of a card's credit among the organisations (product.md#split). Every rule is the domain's; this only
 * shows a table of points, reads it back and sends it once.
 */
export function SelectNgo(given: SelectNgoProps) {
  const [page] = useState(() => inOwnCurrency(given))
  const { giftCardId, preview, credit, language, ngos, texts, hintMs } = page
  const total = moves.creditPoints(credit)
  const [form] = useState(takeOverForm)
  const [kept] = useState(() => form?.points ?? readSplit(giftCardId))
  const [points, setPoints] = useState<moves.Points>(() => onlyListed(kept ?? {}, page))
  const [view, setView] = useState<View>(() => firstView(points, Boolean(kept || form)))
  const [sending, setSending] = useState<Sending>({ kind: 'idle' })
  const [touched, setTouched] = useState<string>()
  const [opener, setOpener] = useState<Opener>()
  /** What undo gives back, after a move that changed every number at once. */
  const [before, setBefore] = useState<moves.Points>()
  const [welcome] = useState(() => (form ? '' : welcomeBack(kept, points, texts)))
  const { said, say, settled } = useAnnouncer(welcome)
  /** What is said is shown as well; after a tap on one row the numbers show it. */
  const [isShown, setShown] = useState(true)

  const left = moves.pointsLeft(points, total)
  const money = (units: number) => formatMoney(fromUnits(units, credit.currency), language, 'when-needed')
  const unit = money(1)
  const selection = moves.toSelection(
    points,
    ngos.map(({ id }) => id),
  )

  useEffect(() => keepSplit(giftCardId, points), [giftCardId, points])
  useEffect(() => focusPoints(form?.focused), [form])
  useEffect(watchErrors, [])
  useEffect(() => {
    if (view !== 'hint') return
    // By itself, or at once by a tap anywhere, as the story's screens do.
    const open = (): void => setView('list')
    const timer = setTimeout(open, hintMs)
    const forget = untilTapped(open)
    return () => {
      clearTimeout(timer)
      forget()
    }
  }, [view, hintMs])
  useLayoutEffect(() => {
    if (view !== 'hint') dropHint()
  }, [view])

  const list = useRef<HTMLUListElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  useWholeControls(list, bar, view === 'list')

  // Back on a phone leads from the confirm view to the list, and Forward to it again.
  const mayConfirm = selection.length > 0
  useEffect(() => {
    const follow = (): void => {
      // A panel above either view has an entry of its own.
      if (isPanelEntry()) return
      setSending(now => (now.kind === 'loading' ? now : { kind: 'idle' }))
      setView(now => (now === 'given' ? now : mayConfirm && isConfirmEntry() ? 'confirm' : 'list'))
    }
    if (view !== 'hint') addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [view, mayConfirm])

  // Where the hint or the confirm view was: the button that had the focus has gone with it.
  const heading = useRef<HTMLHeadingElement>(null)
  const viewBefore = useRef(view)
  useEffect(() => {
    if (view === 'list' && viewBefore.current !== view) heading.current?.focus()
    viewBefore.current = view
  }, [view])

  const nameOf = (ngoId: string): string => ngos.find(({ id }) => id === ngoId)?.title ?? ''
  const move = (ngoId: string, next: moves.Points): void => {
    setPoints(next)
    setTouched(ngoId)
    setBefore(undefined)
    setShown(false)
    const values = {
      ngo: nameOf(ngoId),
      amount: money(next[ngoId] ?? 0),
      left: money(moves.pointsLeft(next, total)),
    }
    settled(fill(texts['select-ngo-announce'] ?? '', values))
  }
  const tell = (key: string, values: Readonly<Record<string, string | number>>): void => {
    setShown(true)
    say(fill(texts[key] ?? '', values))
  }

  /** Changes every number at once, or takes that back. */
  const moveAll = (next: moves.Points, undone?: moves.Points): void => {
    setPoints(next)
    setTouched(undefined)
    setBefore(undone)
  }
  const shareEvenly = (): void => {
    const next = moves.shareEvenly(
      ngos.map(({ id }) => id),
      total,
      Math.random,
    )
    moveAll(next, points)
    const values = { credit: money(total), count: Object.keys(next).length, total: ngos.length }
    tell(values.count < values.total ? 'select-ngo-even-some' : 'select-ngo-even-all', values)
  }
  const clear = (): void => {
    if (selection.length === 0) return
    moveAll(moves.clearPoints(), points)
    tell('select-ngo-cleared', { left: money(total) })
  }
  const undo = (): void => {
    if (!before) return
    moveAll(before)
    tell('select-ngo-undone', { left: money(moves.pointsLeft(before, total)) })
  }

  const confirm = async (): Promise<void> => {
    if (sending.kind === 'loading' || selection.length === 0) return
    if (preview) return leaveFor(page.thanksHref)
    setSending({ kind: 'loading' })
    const attemptKey = attemptKeyOf(giftCardId, selection, newAttemptKey)
    const answer = await redeemGiftCard(giftCardId, selection, attemptKey)
    if (answer.ok) {
      const { allocations, receiptKey } = answer.value
      keepSplit(giftCardId, {})
      forgetAttempt()
      if (receiptKey !== undefined) keepReceipt(giftCardId, receiptKey)
      setView('given')
      return showThanks(
        allocations.map(each => ({ ...each, name: nameOf(each.ngoId) })),
        receiptKey,
      )
    }
    if (answer.code === 'card-consumed') return leaveFor(page.consumedHref)
    setSending({ kind: 'failed', code: answer.code })
  }

  // The thanks have taken the place of all this.
  if (view === 'given') return null
  if (view === 'confirm') {
    const back = (): void => (isConfirmEntry() ? history.back() : setView('list'))
    return (
      <Confirm
        {...{ allocations: splitCredit(credit, selection), sending, confirm, cancel: back, page, opener }}
      />
    )
  }

  const readBack = (): void => {
    if (!isConfirmEntry()) history.pushState(CONFIRM_ENTRY, '')
    setView('confirm')
  }
  const goOn = ({ detail, clientX, clientY, timeStamp }: MouseEvent): void => {
    if (selection.length === 0) {
      tell('select-ngo-empty', { unit })
      return
    }
    setOpener(detail > 0 ? { clientX, clientY, timeStamp } : undefined)
    readBack()
  }
  const explained =
    selection.length === 0
      ? fill(texts['select-ngo-hint'] ?? '', { unit })
      : left > 0 && fill(texts['select-ngo-spread'] ?? '', { left: money(left) })
  const tools = [
    { name: 'share-evenly', text: 'select-ngo-even', act: shareEvenly, isReady: true },
    { name: 'clear', text: 'select-ngo-clear', act: clear, isReady: selection.length > 0 },
    { name: 'undo', text: 'select-ngo-undo', act: undo, isReady: before !== undefined },
  ]
  return (
    // Made ready while the hint is read, so that it is there at once when it is asked for.
    <Activity mode={view === 'hint' ? 'hidden' : 'visible'}>
      <section className="split appear">
        <h1 className="split-title" ref={heading} tabIndex={-1}>
          {texts['select-ngo-title']}
        </h1>
        {preview && <p className="note small">{texts['select-ngo-preview-disclaimer']}</p>}
        <div className="split-head">
          <div className="split-left">
            <p>
              <span className="soft">{texts['select-ngo-left']}</span>
              <span className="amount split-amount" data-left={left}>
                {fill(texts['select-ngo-left-of'] ?? '', { left: money(left), credit: money(total) })}
              </span>
            </p>
            <div className="split-bar" aria-hidden="true">
              <div style={{ transform: `scaleX(${total === 0 ? 0 : (total - left) / total})` }} />
            </div>
          </div>
          {/* Each keeps its place whether it can be pressed or not: nothing moves under a finger that taps again. */}
          <div className="split-all">
            {tools.map(({ name, text, act, isReady }) => (
              <button
                key={name}
                type="button"
                className="button button-quiet"
                data-action={name}
                aria-disabled={!isReady}
                onClick={act}
              >
                {texts[text]}
              </button>
            ))}
          </div>
        </div>
        <ul className="ngos" ref={list}>
          {ngos.map(ngo => (
            <NgoRow
              key={ngo.id}
              ngo={ngo}
              points={points[ngo.id] ?? 0}
              left={left}
              part={moves.partOfCredit(points, ngo.id, total)}
              unit={unit}
              texts={texts}
              add={() => move(ngo.id, moves.addPoint(points, ngo.id, total))}
              remove={() => move(ngo.id, moves.removePoint(points, ngo.id))}
              set={given => move(ngo.id, moves.setPoints(points, ngo.id, given, total))}
            />
          ))}
        </ul>
        <p className="split-draw">
          <a className="link" href={page.drawHref} data-action="draw">
            {texts['select-ngo-draw']}
          </a>
          <a className="link" href={page.wishHref} data-action="wish">
            {texts['select-ngo-wish']}
          </a>
        </p>
        <div className="actions split-actions" ref={bar}>
          {/* Its room is there before it says anything: nothing may move under a finger that taps again. */}
          <div className="split-said soft">
            <div>
              <p role="status" className={isShown ? undefined : 'visually-hidden'} data-said>
                {said}
              </p>
              <p className="split-spread">{explained}</p>
            </div>
            {touched !== undefined && left > 0 && (
              <button
                type="button"
                className="link"
                data-action="rest"
                onClick={() => move(touched, moves.restHere(points, touched, total))}
              >
                {fill(texts['select-ngo-rest'] ?? '', {
                  ngo: ngos.find(({ id }) => id === touched)?.called ?? '',
                })}
              </button>
            )}
          </div>
          <button
            type="button"
            className="button"
            data-action="continue"
            aria-disabled={selection.length === 0}
            onClick={goOn}
          >
            {texts['common-continue']}
          </button>
        </div>
      </section>
    </Activity>
  )
}

/** Drops what the current list no longer has, and anything beyond the credit. */
function onlyListed(points: moves.Points, { ngos, credit }: SelectNgoProps): moves.Points {
  const total = moves.creditPoints(credit)
  const listed = new Set(ngos.map(({ id }) => id))
  return Object.entries(points).reduce<moves.Points>(
    (kept, [id, given]) => (listed.has(id) ? moves.setPoints(kept, id, given, total) : kept),
    {},
  )
}

/** What the status line says to somebody who comes back to a half-made split. */
function welcomeBack(
  kept: moves.Points | undefined,
  points: moves.Points,
  texts: SelectNgoProps['texts'],
): string {
  if (!kept) return ''
  const changed = Object.keys(kept).length !== Object.keys(points).length
  return texts[changed ? 'select-ngo-list-changed' : 'select-ngo-restored'] ?? ''
}

/** No hint for those who asked for no waiting. */
function stillness(): boolean {
  return (
    document.documentElement.classList.contains('calm') ||
    matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}

/** A reload of the confirm view stays there; who has begun, or asked for no waiting, sees the list at once. */
function firstView(points: moves.Points, hasBegun: boolean): View {
  if (isConfirmEntry() && Object.keys(points).length > 0) return 'confirm'
  return hasBegun || stillness() ? 'list' : 'hint'
}

/** The confirm view's entry in the tab's history: the same address as the list. */
const CONFIRM_ENTRY = { confirm: true } as const

function isConfirmEntry(): boolean {
  return (history.state as { confirm?: unknown } | null)?.confirm === true
}

function leaveFor(href: string): void {
  // Replaced, not added: going back must not show a split that has already been given.
  location.replace(href)
}
