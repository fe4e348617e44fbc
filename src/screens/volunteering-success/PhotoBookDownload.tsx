import { useEffect, useState } from 'react'
import '#screens/shared/payment/link-card.css'
import type { Language } from '#domain/languages.ts'
import { photoBookPath } from '#paths'
import { fill } from '#screens/shared/kit/fill.ts'
import { type BookProgress, readBookProgress } from '#wire/volunteering-client.ts'

export const BOOK_TEXTS = [
  'photo-book-title',
  'photo-book-note',
  'photo-book-download',
  'photo-book-making',
  'photo-book-ready',
  'photo-book-missing',
  'photo-book-failed',
] as const

interface Props {
  readonly cardKey: string
  readonly language: Language
  readonly texts: Readonly<Record<(typeof BOOK_TEXTS)[number], string>>
}

const LOOK_EVERY_MS = 1_000

/** The photo-book: how far it is while it is being made, then the way to it. The link itself waits too. */
export default function BookDownload({ cardKey, language, texts }: Props) {
  const [progress, setProgress] = useState<BookProgress>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const look = async (): Promise<void> => {
      const now = await readBookProgress(cardKey)
      if (isOver) return
      if (now) setProgress(now)
      if (now?.state !== 'ready') timer = setTimeout(look, LOOK_EVERY_MS)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [cardKey])

  const words = (): string => {
    if (!progress) return ''
    if (progress.state === 'failed') return texts['photo-book-failed']
    if (progress.state === 'making')
      return fill(texts['photo-book-making'], { done: progress.done, total: progress.total })
    return progress.missing > 0
      ? fill(texts['photo-book-missing'], { count: progress.missing })
      : texts['photo-book-ready']
  }

  return (
    <section className="card link-card" data-book={progress?.state ?? 'asking'}>
      <h2>{texts['photo-book-title']}</h2>
      <p className="soft small">{texts['photo-book-note']}</p>
      <p className="small copied" role="status">
        {words()}
      </p>
      {progress?.state === 'making' && (
        <progress max={progress.total} value={progress.done} aria-label={texts['photo-book-title']} />
      )}
      <div className="link-row">
        <a
          className="button button-quiet"
          href={photoBookPath(cardKey, language)}
          data-action="photo-book"
          download
        >
          {texts['photo-book-download']}
        </a>
      </div>
    </section>
  )
}
