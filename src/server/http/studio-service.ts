import type { StudioState } from '#server/modules/operator/interface.ts'
import type { Prepared } from './transport/prepared.ts'

/** The Studio as the front sees it. */
export interface StudioService {
  state(): StudioState
  /** Is this path the Studio's to answer? */
  matches(pathname: string): boolean
  /** The answer for that path; undefined for a file that does not exist, and while the Studio is not ready. */
  find(pathname: string): Promise<Prepared | undefined>
  /** Begins to prepare the Studio in the background. */
  start(): void
  /** Ends the work that is under way. */
  stop(): Promise<void>
}
