import { CopyIcon } from '@sanity/icons/Copy'
import { useToast } from '@sanity/ui/toast'
import { useState } from 'react'
import { type DocumentActionComponent, useClient } from 'sanity'
import { useRouter } from 'sanity/router'
import { dayOf } from '../rules/days.ts'
import { nextList, type YearlyList } from '../rules/next-list.ts'

const API_VERSION = '2026-05-04'

/** Copies a yearly list into a draft for the following year, whose reviews start anew. */
export const StartNextList: DocumentActionComponent = ({ draft, published, onComplete }) => {
  const client = useClient({ apiVersion: API_VERSION })
  const router = useRouter()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const [isCopying, setCopying] = useState(false)
  const list = (draft ?? published) as YearlyList | null
  const year = list?.year

  const close = () => {
    setAsking(false)
    onComplete()
  }

  async function start(from: YearlyList & { readonly year: number }): Promise<void> {
    setCopying(true)
    try {
      const next = nextList(from, dayOf(new Date()))
      const query = '*[_type == "ngoList" && year == $year][0]._id'
      const existing = await client
        .withConfig({ perspective: 'drafts' })
        .fetch<string | null>(query, { year: next.year })
      if (existing)
        toast.push({ status: 'info', title: `There is a list for ${next.year} already. Here it is.` })
      else await client.create(next)
      close()
      const id = (existing ?? next._id).replace(/^drafts\./, '')
      router.navigateIntent('edit', { id, type: 'ngoList' })
    } catch (error) {
      toast.push({
        status: 'error',
        title: 'The list could not be copied. Please try again.',
        description: error instanceof Error ? error.message : '',
      })
    } finally {
      setCopying(false)
    }
  }

  return {
    label: year === undefined ? 'Start next year’s list' : `Start the list for ${year + 1}`,
    icon: CopyIcon,
    disabled: year === undefined || isCopying,
    onHandle: () => setAsking(true),
    dialog: isAsking &&
      list &&
      year !== undefined && {
        type: 'confirm',
        tone: 'primary',
        message: `This copies the organisations of ${year}, in their order, into a draft for ${year + 1}. The reviews start anew. The site keeps showing the list of ${year} until you publish the new one.`,
        confirmButtonText: `Start the list for ${year + 1}`,
        onConfirm: () => void start({ ...list, year }),
        onCancel: close,
      },
  }
}
StartNextList.displayName = 'StartNextList'
