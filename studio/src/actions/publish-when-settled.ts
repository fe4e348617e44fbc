import { useEffect, useRef, useState } from 'react'
import type { DocumentActionComponent } from 'sanity'

/** The Studio commits an edit within a second of it; the rest is room for a slow machine. */
const SETTLED_AFTER_MS = 1_200

const wrapped = new WeakMap<DocumentActionComponent, DocumentActionComponent>()

/**
 * Publish, once the last edit has been committed. Pressed earlier, the Studio's own commit of that edit would take
 * the place of the waiting publication, which then never happens, without a word.
 * @returns always the same component for the same action, so that the button is not drawn anew
 */
export function publishWhenSettled(publish: DocumentActionComponent): DocumentActionComponent {
  const known = wrapped.get(publish)
  if (known) return known

  const Publish: DocumentActionComponent = props => {
    const given = publish(props)
    const { draft } = props
    const press = useRef(given?.onHandle)
    const editedAt = useRef(0)
    const [isWaiting, setWaiting] = useState(false)
    useEffect(() => {
      press.current = given?.onHandle
    })
    // biome-ignore lint/correctness/useExhaustiveDependencies: a changed draft is an edit
    useEffect(() => {
      editedAt.current = Date.now()
    }, [draft])
    // biome-ignore lint/correctness/useExhaustiveDependencies: an edit while it waits makes it wait again
    useEffect(() => {
      if (!isWaiting) return
      const settled = (): void => {
        setWaiting(false)
        press.current?.()
      }
      const timer = setTimeout(settled, editedAt.current + SETTLED_AFTER_MS - Date.now())
      return () => clearTimeout(timer)
    }, [isWaiting, draft])
    if (!given || given.disabled) return given
    return isWaiting
      ? { ...given, label: 'Publishing…', disabled: true }
      : { ...given, onHandle: () => setWaiting(true) }
  }
  Publish.action = publish.action ?? 'publish'
  Publish.displayName = 'PublishWhenSettled'
  wrapped.set(publish, Publish)
  return Publish
}
