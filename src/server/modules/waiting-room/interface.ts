/** Whoever presses for something that has a waiting room. */
export interface Visitor {
  /** They hold their place. */
  readonly headers: Pick<Headers, 'get'>
  /** The key of the press; undefined where the browser sent none. */
  readonly attemptKey: string | undefined
}

export interface Comer extends Visitor {
  /** How much of their own limit is left, 0 to 1: whoever has pressed little goes first. */
  readonly left: number
  /** The key by which the payment of this press is known, where that is another one. */
  readonly begunBy?: string | undefined
}

/** Whoever is let in, and the `Set-Cookie` that takes the place away that was held. */
interface LetIn {
  readonly kind: 'in'
  readonly cookie?: string
}

/** Whoever waits. */
export interface Waiting {
  readonly kind: 'waiting'
  /** How many come before. */
  readonly ahead: number
  readonly waitMs: number
  /** When to ask again. */
  readonly askAgainMs: number
  /** The place that was held is over, since nobody came when it was called; this is a new one. */
  readonly isOver: boolean
  /** The `Set-Cookie` that keeps the place. */
  readonly cookie: string
}

/** Where visitors wait for their turn, in the order in which they came. */
export interface WaitingRoom {
  /** Does this visitor hold a place for this press? It may be over. */
  holdsPlace(visitor: Visitor): boolean
  /**
   * Lets a visitor in at once where there is room; else gives or keeps a place. Whose turn comes within moments waits
   * here for it. Problem line-full (with retryAfterSeconds) where too many wait already.
   */
  enter(comer: Comer): Promise<LetIn | Waiting>
}
