import { MOST_BESIDE_RECEIPT, MOST_RECEIPT_BYTES } from '#domain/payout/advice.ts'
import { MANY_CARDS_PATH, RECEIVED_PATHS } from '#paths'
import type { App } from '#server/http/app.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'
import { withReadKey } from '#server/http/pipeline/key-in-path.ts'
import type { ClientAddress } from '#server/http/transport/client-address.ts'
import { MOST_BODY_BYTES } from '#server/http/transport/request-body.ts'
import type { Places } from './places.ts'
import { bringsBody, methodOf, type Visit } from './visit.ts'

/** Somewhat more than a receipt may have: whose file is a little too large reads on the page what to do. */
const MOST_UPLOAD_BYTES = MOST_RECEIPT_BYTES + 2 * 1024 * 1024 + MOST_BESIDE_RECEIPT

/** Five hundred rows of a name and a text, four bytes a letter, and the rest of the form: a list may come twice, typed and as a file. */
const MOST_LIST_BYTES = 2 * 1024 * 1024

/**
 * How much of a body is read: 64 kB, a list of many cards, of which a few are read at once, and a receipt behind a link
 * that is right. A wrong key is counted like every other, and fills no memory.
 * @returns undefined where no more lists are read just now
 */
export async function mostBytesOf(
  app: Pick<App, 'limits' | 'receivedPayouts'>,
  visit: Visit,
  { clientAddress, places }: { readonly clientAddress: ClientAddress; readonly places: Places },
): Promise<number | undefined> {
  const { request, response, path } = visit
  const isList = path === MANY_CARDS_PATH
  if (!(isList || path.startsWith(RECEIVED_PATHS)) || methodOf(visit) !== 'POST' || !bringsBody(request))
    return MOST_BODY_BYTES
  const announced = request.headers['content-length']
  if (announced !== undefined && Number(announced) <= MOST_BODY_BYTES) return MOST_BODY_BYTES
  if (isList) return places(clientAddress(request), response) ? MOST_LIST_BYTES : undefined
  const [adviceId = '', key = ''] = withReadKey(path).slice(RECEIVED_PATHS.length).split('/')
  const { receivedPayouts } = appFor(
    { limits: app.limits, receivedPayouts: app.receivedPayouts },
    clientAddress(request),
  )
  try {
    await receivedPayouts.open(adviceId, key)
    return MOST_UPLOAD_BYTES
  } catch {
    // The page says why, where what came is small enough to get there.
    return MOST_BODY_BYTES
  }
}
