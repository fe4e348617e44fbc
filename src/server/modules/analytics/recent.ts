/** What was noted lately: the newest of it, so that nobody fills the memory by sending ever new things. */
export interface Recent {
  /** Was it noted, and not yet pushed out? Asking notes it anew. */
  has(what: string): boolean
  note(what: string): void
}

/** Remembers the last things that were noted or asked about. @param most how many */
export function createRecent(most: number): Recent {
  const kept = new Set<string>()
  const note = (what: string): void => {
    // Put at the end again, so that the order of the set is the order of last use.
    kept.delete(what)
    kept.add(what)
    if (kept.size > most) for (const oldest of kept) return void kept.delete(oldest)
  }
  return {
    has(what) {
      if (!kept.has(what)) return false
      note(what)
      return true
    },
    note,
  }
}
