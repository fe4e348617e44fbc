import { useState, useSyncExternalStore } from 'react'
import { whatsAppUrl } from '#domain/campaign/share.ts'

const never = () => () => {}

/** Copying a link, and what came of it, to be announced. */
export function useCopy(url: string) {
  const [said, setSaid] = useState<'copied' | 'copy-failed'>()
  const copy = (): void => {
    // Said again each time: emptied first, so that a second copy is announced too.
    setSaid(undefined)
    Promise.resolve(navigator.clipboard?.writeText(url) ?? Promise.reject()).then(
      () => setSaid('copied'),
      () => setSaid('copy-failed'),
    )
  }
  return { said, copy }
}

/** Sending a link: by the browser's own sheet where it has one, else by WhatsApp in a window of its own. */
export function useShare(text: string, url: string) {
  const canShare = useSyncExternalStore(
    never,
    () => typeof navigator.share === 'function',
    () => false,
  )
  const share = (): void => {
    if (!canShare) {
      window.open(whatsAppUrl(text, url), '_blank', 'noopener')
      return
    }
    // A sheet closed without sending is no failure.
    navigator.share({ text, url }).catch(() => {})
  }
  return { canShare, share }
}
