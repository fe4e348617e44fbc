import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { whatsAppUrl } from '#domain/campaign/share.ts'
import { type Qr, qrOf, qrPicture } from './qr.ts'

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

/** Whoever prints has moved, touched or typed before. */
const SIGNS = ['pointermove', 'pointerdown', 'scroll', 'keydown', 'focusin'] as const

/**
 * Resolves when the code of a link may be needed. A sheet that takes pictures gets it with the first press, so at once.
 * Elsewhere it stands on paper alone: at the first sign of a visitor.
 */
function needed(signal: AbortSignal): Promise<unknown> {
  const paper = matchMedia('print')
  if (paper.matches || typeof navigator.canShare === 'function') return Promise.resolve()
  return new Promise(resolve => {
    paper.addEventListener('change', resolve, { once: true, signal })
    for (const sign of SIGNS) addEventListener(sign, resolve, { once: true, passive: true, signal })
  })
}

/** The code of a link, once it is needed and drawn; a browser that cannot fetch what draws it has none. */
export function useQr(url: string): Qr | undefined {
  const [qr, setQr] = useState<Qr>()
  useEffect(() => {
    const over = new AbortController()
    needed(over.signal)
      .then(() => qrOf(url))
      .then(
        drawn => !over.signal.aborted && setQr(drawn),
        () => {},
      )
    return () => over.abort()
  }, [url])
  return qr
}

/**
 * Sending a link: by the browser's own sheet where it has one, else by WhatsApp in a window of its own. The sheet gets
 * the link's code as a picture too, where it takes pictures.
 */
export function useShare(text: string, url: string, qr: Qr | undefined, pictureName: string) {
  const canShare = useSyncExternalStore(
    never,
    () => typeof navigator.share === 'function',
    () => false,
  )
  // Made before the press: a sheet opens only while the press lasts.
  const picture = useRef<File>(undefined)
  useEffect(() => {
    if (!qr || typeof navigator.canShare !== 'function') return
    void qrPicture(qr, pictureName).then(file => {
      picture.current = file && navigator.canShare({ files: [file] }) ? file : undefined
    })
  }, [qr, pictureName])
  const share = (): void => {
    if (!canShare) {
      window.open(whatsAppUrl(text, url), '_blank', 'noopener')
      return
    }
    const file = picture.current
    navigator.share({ text, url, ...(file && { files: [file] }) }).catch((error: unknown) => {
      // A sheet closed without sending is no failure, nor is a press while it opens. One that refuses the picture gets the
      // next press without it.
      const saysNothingOfIt =
        error instanceof DOMException && ['AbortError', 'InvalidStateError'].includes(error.name)
      if (!saysNothingOfIt) picture.current = undefined
    })
  }
  return { canShare, share }
}
