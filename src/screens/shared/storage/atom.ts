/** A value that tells of its changes. */
export interface ReadableAtom<T> {
  get(): T
  /** Calls at each change. @returns stops it */
  listen(look: (value: T) => void): () => void
  /** The same, beginning with the value that there is. */
  subscribe(look: (value: T) => void): () => void
}

export interface WritableAtom<T> extends ReadableAtom<T> {
  /** Nobody is told of what is there already. */
  set(value: T): void
}

/** A store of one value. A change made while others are told of one reaches everybody, and the last is the last said. */
/* @__NO_SIDE_EFFECTS__ */
export function atom<T>(value: T): WritableAtom<T> {
  const listeners = new Set<(value: T) => void>()
  const listen: WritableAtom<T>['listen'] = look => {
    listeners.add(look)
    return () => listeners.delete(look)
  }
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return
      value = next
      for (const look of listeners) {
        // Somebody has changed it again, and told everybody.
        if (value !== next) break
        look(next)
      }
    },
    listen,
    subscribe(look) {
      look(value)
      return listen(look)
    },
  }
}
