import { AsyncLocalStorage } from 'node:async_hooks'

/** One request of a visitor, as whatever is done for it knows it. */
interface VisitorsRequest {
  /** The database has taken work for it. From then on all of it is done: what is half done was done for nothing. */
  isTaken: boolean
}

const requests = new AsyncLocalStorage<VisitorsRequest>()

/** Does something for a visitor, who can come again: where too much waits for the database it is refused. */
export const forVisitor = <T>(work: () => T): T => requests.run({ isTaken: false }, work)

/** The request that something is done for, while the database has taken no work for it yet; undefined for all else. */
export function untakenRequest(): VisitorsRequest | undefined {
  const request = requests.getStore()
  return request?.isTaken ? undefined : request
}
