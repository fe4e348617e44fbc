import { useEffect, useState } from 'react'
import { type DocumentActionComponent, useClient } from 'sanity'
import { lastPackageReason } from '../rules/packages.ts'

const API_VERSION = '2026-05-04'
const OTHERS = 'count(*[_type == "giftPackage" && _id != $id])'

const wrapped = new WeakMap<DocumentActionComponent, DocumentActionComponent>()

/**
 * Delete and unpublish, but for the last package that is published: without one the site would sell nothing, and keeps
 * what it sold before.
 * @returns always the same component for the same action, so that the button is not drawn anew
 */
export function keepLastPackage(action: DocumentActionComponent): DocumentActionComponent {
  const known = wrapped.get(action)
  if (known) return known

  const Kept: DocumentActionComponent = props => {
    const given = action(props)
    const client = useClient({ apiVersion: API_VERSION })
    const [others, setOthers] = useState<number>()
    const { id, published } = props
    const isPublished = published !== null
    // Asked again when what is published changes: another package may have come or gone since.
    useEffect(() => {
      let isGone = false
      client
        .withConfig({ perspective: 'published' })
        .fetch<number>(OTHERS, { id: id.replace(/^drafts\./, '') })
        .then(count => {
          if (!isGone) setOthers(count)
        })
        // Without an answer the site goes on selling what it sold, so nothing is lost.
        .catch(() => undefined)
      return () => {
        isGone = true
      }
    }, [client, id])
    const reason = lastPackageReason(isPublished, others)
    return given && reason !== undefined ? { ...given, disabled: true, title: reason } : given
  }
  if (action.action) Kept.action = action.action
  Kept.displayName = 'KeepLastPackage'
  wrapped.set(action, Kept)
  return Kept
}
