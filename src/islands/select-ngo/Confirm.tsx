import { useEffect, useRef } from 'react'
import { formatMoney } from '#domain/money/format.ts'
import type { Allocation } from '#domain/redemption/split.ts'
import type { SelectNgoProps } from './props.ts'

export type Sending = { kind: 'idle' } | { kind: 'loading' } | { kind: 'failed'; code: string }

interface Props {
  allocations: readonly Allocation[]
  sending: Sending
  confirm: () => void
  cancel: () => void
  page: SelectNgoProps
}

/** Reads the split back, to the cent, before anything is sent. */
export function Confirm({ allocations, sending, confirm, cancel, page }: Props) {
  const { texts, language, credit, ngos, preview } = page
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const name = (id: string) => ngos.find(ngo => ngo.id === id)?.title
  const failed = sending.kind === 'failed'
  const label = failed ? 'select-ngo-confirm-retry' : 'select-ngo-confirm'
  return (
    <section className="confirm appear">
      <h1 className="title" ref={heading} tabIndex={-1}>
        {texts['select-ngo-confirm-title']}
      </h1>
      <p className="lead">{texts[preview ? 'select-ngo-preview-disclaimer' : 'select-ngo-confirm-lead']}</p>
      <ul className="rows confirm-rows">
        {allocations.map(({ ngoId, amount }) => (
          <li key={ngoId} data-allocation={ngoId}>
            <span>{name(ngoId)}</span>
            <span className="amount">{formatMoney(amount, language, 'always')}</span>
          </li>
        ))}
        <li className="total">
          <span>{texts['select-ngo-total']}</span>
          <span className="amount">{formatMoney(credit, language, 'always')}</span>
        </li>
      </ul>
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
          {texts[sending.kind === 'loading' ? 'select-ngo-confirm-loading' : label]}
        </button>
        <button type="button" className="link" data-action="cancel" onClick={cancel}>
          {texts['select-ngo-change']}
        </button>
      </div>
    </section>
  )
}
