import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long a sender may take. */
export interface RequestTimeouts {
  /** The time for a whole request with its body, in ms after its headers. */
  readonly requestMs: number
  /** How many bytes an upload must send in each such time. While it does, it may go on. */
  readonly uploadBytes: number
}

/** The slowest upload is one of 140 kbit/s: 20 MB in twenty minutes. */
export const REQUEST_TIMEOUTS: RequestTimeouts = { requestMs: 30_000, uploadBytes: 512 * 1024 }

/**
 * Ends requests whose bodies take too long. Node has one limit for all requests, but an operator's upload of 20 MB
 * needs more time than any other request may have.
 * @param mayGoOn an upload: it may take as long as it goes on, until it is answered or the server is told to stop
 * @param refuse answers that it took too long, and ends the connection
 */
export function endWhenSlow(
  request: IncomingMessage,
  response: ServerResponse,
  { timeouts, mayGoOn, refuse }: { timeouts: RequestTimeouts; mayGoOn: () => boolean; refuse: () => void },
): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) return
  const { socket } = request
  let before = socket.bytesRead
  const look = setInterval(() => {
    if (request.complete) return clearInterval(look)
    const brought = socket.bytesRead - before
    before += brought
    if (response.headersSent) socket.destroy()
    else if (!mayGoOn() || brought < timeouts.uploadBytes) refuse()
  }, timeouts.requestMs).unref()
  request.once('close', () => clearInterval(look))
}
