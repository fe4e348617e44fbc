import { Text } from '@sanity/ui'
import { useEffect, useRef } from 'react'

/** What the last form has done. The focus goes there, since the button that had it is gone with the form. */
export function Said({ says }: { says: string }) {
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (says !== '') text.current?.focus()
  }, [says])
  return (
    <div ref={text} tabIndex={-1} role="status">
      <Text size={1} weight="semibold">
        {says}
      </Text>
    </div>
  )
}
