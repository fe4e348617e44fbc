import { useEffect, useRef } from 'react'
import { formatMoney } from '#domain/money/format.ts'
import { fromUnits, type Money } from '#domain/money/money.ts'
import { readBack } from '#domain/redemption/read-back.ts'
import { type Allocation, leftoverOf, shareOfLeftover } from '#domain/redemption/split.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import type { SelectNgoProps } from './props.ts'
import { type Opener, useSecondTap } from './use-second-tap.ts'

export type Sending = { kind: 'idle' } | { kind: 'loading' } | { kind: 'failed'; code: string }

interface Props {
  allocations: readonly Allocation[]
  sending: Sending
  confirm: () => void
  cancel: () => void
  page: SelectNgoProps
  /** The press that led here; undefined where none did, or a key. */
  opener: Opener | undefined
}

/** Reads the split back, to the cent, before anything is sent. */
export function Confirm({ allocations, sending, confirm, cancel, page, opener }: Props) {
  const { texts, language, credit, ngos, preview } = page
  const heading = useRef<HTMLHeadingElement>(null)
  // Scrolled to the top: the name of the giver stands above the heading.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  useSecondTap(opener)
  const name = (id: string) => ngos.find(ngo => ngo.id === id)?.title ?? ''
  const called = (id: string) => ngos.find(ngo => ngo.id === id)?.called ?? ''
  const text = (key: string, values: Readonly<Record<string, string>>) => fill(texts[key] ?? '', values)
  const money = (amount: Money) => formatMoney(amount, language, 'when-needed')
  const left = leftoverOf(credit, allocations)
  const failed = sending.kind === 'failed'
  const label = failed ? 'select-ngo-confirm-retry' : 'select-ngo-confirm'
  const action = sending.kind === 'loading' ? 'select-ngo-confirm-loading' : label
  return (
    <section className="confirm appear">
      <h1 className="confirm-title" ref={heading} tabIndex={-1}>
        {texts['select-ngo-confirm-title']}
      </h1>
      <p className="title confirm-sentence" data-parts={allocations.length} data-sentence>
        {readBack(allocations, language, called, values => text('select-ngo-confirm-part', values))}
      </p>
      <p className="lead">{texts[preview ? 'select-ngo-preview-disclaimer' : 'select-ngo-confirm-lead']}</p>
      {left.amount > 0 && (
        <p className="soft" data-leftover>
          {text('select-ngo-confirm-leftover', { left: money(left) })}
        </p>
      )}
      <ul className="rows confirm-rows">
        {allocations.map(allocation => (
          <li key={allocation.ngoId} data-allocation={allocation.ngoId}>
            <span>
              {name(allocation.ngoId)}
              {left.amount > 0 && (
                <span className="confirm-parts small soft">
                  {text('select-ngo-confirm-parts', {
                    given: money(fromUnits(allocation.points, credit.currency)),
                    share: money(shareOfLeftover(allocation)),
                  })}
                </span>
              )}
            </span>
            <span className="amount">{formatMoney(allocation.amount, language, 'always')}</span>
          </li>
        ))}
        <li className="total">
          <span>{texts['select-ngo-total']}</span>
          <span className="amount">{formatMoney(credit, language, 'always')}</span>
        </li>
      </ul>
      <p className="small soft">{texts['select-ngo-confirm-told']}</p>
      <div className="actions">
        <p className="error" role="alert">
          {failed && (texts[`problem-${sending.code}`] ?? texts['problem-something-went-wrong'])}
        </p>
        <button
          type="button"
          className="button"
          data-action={failed ? 'retry' : 'confirm'}
          data-state={failed ? 'retry' : sending.kind}
          aria-disabled={sending.kind === 'loading'}
          onClick={confirm}
        >
          {text(action, { credit: money(credit) })}
        </button>
        <button type="button" className="link" data-action="cancel" onClick={cancel}>
          {texts['select-ngo-change']}
        </button>
      </div>
    </section>
  )
}
