import { useCallback, useEffect, useRef, useState } from 'react'
import { type Asked, ask, type Question } from './ask.ts'

export interface Asking<T> {
  /** The last answer; it goes when something else is asked. */
  readonly asked: Asked<T> | undefined
  readonly isWaiting: boolean
  /** Asks the site; an answer that comes after a later question is thrown away. */
  put(question: Question): void
  forget(): void
}

/** Asks the site one question at a time. */
export function useSite<T>(): Asking<T> {
  const [asked, setAsked] = useState<Asked<T>>()
  const [isWaiting, setWaiting] = useState(false)
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => () => leaving.current?.abort(), [])
  const forget = useCallback(() => {
    leaving.current?.abort()
    setAsked(undefined)
    setWaiting(false)
  }, [])
  const put = useCallback((question: Question) => {
    leaving.current?.abort()
    const controller = new AbortController()
    leaving.current = controller
    setWaiting(true)
    void ask<T>((path, init) => fetch(path, init), question, controller.signal).then(answer => {
      if (controller.signal.aborted) return
      setAsked(answer)
      setWaiting(false)
    })
  }, [])
  return { asked, isWaiting, put, forget }
}
