import type { StudioState } from '#server/modules/operator/interface.ts'
import type { Prepared } from './transport/prepared.ts'

/** The Studio as the front sees it. */
export interface StudioService {
  state(): StudioState
  /** Is this path the Studio's to answer? */
  matches(pathname: string): boolean
  /** What to answer there; undefined for a file that there is none of, and while it is not ready. */
  find(pathname: string): Promise<Prepared | undefined>
  /** Begins to prepare it. Nobody waits for it. */
  start(): void
  /** Ends the work that is under way. */
  stop(): Promise<void>
}
