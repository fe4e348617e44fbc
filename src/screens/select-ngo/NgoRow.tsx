import { hostOf } from '#domain/content/links.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import type { ListedNgo } from './props.ts'
import { useHold } from './use-hold.ts'

interface Props {
  ngo: ListedNgo
  points: number
  left: number
  /** Which part of the credit it has, from 0 to 1: the row is filled as far. */
  part: number
  /** What one tap gives, as it is read: `1 €`. */
  unit: string
  texts: Readonly<Record<string, string>>
  add: () => void
  remove: () => void
  set: (points: number) => void
}

/** One organisation: the whole row adds a point; minus, a typed number and its own page lie above it. */
export function NgoRow({ ngo, points, left, part, unit, texts, add, remove, set }: Props) {
  const adding = useHold(add)
  const removing = useHold(remove)
  const named = (key: string, name = ngo.called) => fill(texts[key] ?? '', { ngo: name, unit })
  return (
    <li className="ngo" data-ngo={ngo.id} data-chosen={points > 0 || undefined}>
      <div className="ngo-fill" aria-hidden="true" style={{ transform: `scaleX(${part})` }} />
      <div className="ngo-tap" {...adding} />
      <p className="ngo-name">{ngo.name}</p>
      <div className="ngo-controls">
        <button
          type="button"
          className="ngo-step"
          data-action="remove"
          aria-label={named('select-ngo-remove')}
          aria-disabled={points === 0}
          {...removing}
        >
          −
        </button>
        <input
          id={`ngo-points-${ngo.id}`}
          className="ngo-points amount"
          type="number"
          inputMode="numeric"
          min={0}
          max={points + left}
          step={1}
          aria-label={named('select-ngo-points')}
          value={points}
          onFocus={event => event.target.select()}
          onChange={event => set(Math.trunc(Number(event.target.value)) || 0)}
        />
        <button
          type="button"
          className="ngo-step ngo-add"
          data-action="add"
          aria-label={named('select-ngo-add')}
          aria-disabled={left === 0}
          {...adding}
        >
          +
        </button>
      </div>
      {ngo.whole && <p className="ngo-line ngo-whole">{ngo.whole}</p>}
      <p className="ngo-line">
        {ngo.description}{' '}
        <a className="ngo-page" href={ngo.link} target="_blank" rel="noopener noreferrer">
          {hostOf(ngo.link)}
          <span className="visually-hidden">, {named('select-ngo-page-of', ngo.title)}</span>
        </a>
      </p>
    </li>
  )
}
