import { useEffect } from 'react'
import { $fallback, forgetUnlisted } from '#screens/shared/choices/fallback.store.ts'
import { useChoice } from '#screens/shared/kit/use-browser-value.ts'

/** An organisation of the current list, as a page hands it to the browser. */
export interface ListedNgo {
  readonly id: string
  readonly title: string
}

interface Props {
  readonly ngos: readonly ListedNgo[]
  readonly texts: Readonly<Record<'fallback-label' | 'fallback-chance', string>>
}

/** To whom an unused card shall go at the end of its term: chance decides where nobody is named. */
export function FallbackField({ ngos, texts }: Props) {
  const chosen = useChoice($fallback, undefined)
  const known = ngos.some(({ id }) => id === chosen) ? chosen : undefined
  useEffect(() => forgetUnlisted(ngos), [ngos])
  return (
    <div className="field fallback">
      <label htmlFor="fallback">{texts['fallback-label']}</label>
      <select
        id="fallback"
        value={known ?? ''}
        onChange={event => $fallback.set(event.target.value || undefined)}
        data-action="fallback"
      >
        <option value="">{texts['fallback-chance']}</option>
        {ngos.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}
