import type { ServerResponse } from 'node:http'

/** So many large bodies are held at once: whoever sends them slowly fills no memory. */
const MOST = 20
/** Of them, by one visitor. */
const MOST_OF_ONE = 2

/**
 * Takes a place for a large body, until its request is answered or broken off.
 * @param who the visitor's address
 * @returns false where there is none now
 */
export type Places = (who: string, response: Pick<ServerResponse, 'once'>) => boolean

/** The places of one process. */
export function createPlaces(): Places {
  const taken = new Map<object, string>()
  return (who, response) => {
    const own = [...taken.values()].filter(each => each === who).length
    if (taken.size >= MOST || own >= MOST_OF_ONE) return false
    taken.set(response, who)
    response.once('close', () => taken.delete(response))
    return true
  }
}
