import { CheckmarkCircleIcon } from '@sanity/icons/CheckmarkCircle'
import { useToast } from '@sanity/ui/toast'
import { type DocumentActionComponent, useCurrentUser, useDocumentOperation } from 'sanity'
import { dayOf } from '../rules/days.ts'

/** Writes down who looked at the document, and that it was today; publishing puts it on record. */
export const MarkAsReviewed: DocumentActionComponent = ({ id, type, draft, published, onComplete }) => {
  const { patch } = useDocumentOperation(id, type)
  const user = useCurrentUser()
  const toast = useToast()
  const today = dayOf(new Date())
  const shown = draft ?? published
  const isDone = shown?.reviewedAt === today
  return {
    label: isDone ? 'Reviewed today' : 'Mark as reviewed',
    title: isDone ? 'This was reviewed today' : 'I have read it whole, and its links lead where they should',
    icon: CheckmarkCircleIcon,
    disabled: isDone || !shown || patch.disabled !== false,
    onHandle: () => {
      patch.execute([{ set: { reviewedAt: today, reviewedBy: user?.name ?? user?.email ?? 'Operator' } }])
      toast.push({
        status: 'success',
        title: 'Marked as reviewed',
        description: 'Publish to put it on record.',
      })
      onComplete()
    },
  }
}
MarkAsReviewed.displayName = 'MarkAsReviewed'
