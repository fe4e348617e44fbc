import { readDocuments } from './documents.ts'
import { answer } from './query.ts'
import { readQueryRequest } from './request.ts'

export interface LocalLakeOptions {
  /** Paths of NDJSON files in the official export format. */
  readonly seedFiles: readonly string[]
  /** The dataset's name; questions to any other are answered as the API answers for one that is not there. */
  readonly dataset?: string
  /** Now in epoch milliseconds, for `now()` in queries and for the time an answer took. */
  readonly clock?: () => number
}

export interface LocalLake {
  /** Answers a request of the Content Lake's HTTP API, in process; only the query endpoint exists. Never throws. */
  fetch(request: Request): Promise<Response>
}

/** One coarse tag on every answer: nothing here changes piece by piece. */
const SYNC_TAGS = ['s1:local']

/**
 * A Content Lake without an account, so that the site reads its content in one way whether it is hosted or not.
 * Seed documents are read once, here; throws when a seed file cannot be read.
 */
export function createLocalLake(options: LocalLakeOptions): LocalLake {
  const { seedFiles, dataset = 'production', clock = Date.now } = options
  const documents = readDocuments(seedFiles)
  const published = documents.filter(document => !/^(drafts|versions)\./.test(document._id))

  async function fetch(request: Request): Promise<Response> {
    const started = clock()
    const asked = await readQueryRequest(request)
    if ('status' in asked) return refuse(asked.status, asked.message)
    if (asked.dataset !== dataset) return refuse(404, `Dataset not found - dataset "${asked.dataset}"`)
    if (asked.perspective !== 'published' && asked.perspective !== 'raw') {
      return refuse(400, `Perspective "${asked.perspective}" is not known here`)
    }
    const answered = await answer(asked, asked.perspective === 'raw' ? documents : published, started)
    if (!answered.ok) return Response.json({ error: answered.error }, { status: 400 })
    return Response.json({
      ...(asked.returnQuery ? { query: asked.query } : {}),
      result: answered.result,
      syncTags: SYNC_TAGS,
      ms: clock() - started,
    })
  }

  return { fetch }
}

const REASONS = { 400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed' }

/** The API's own shape for everything but a query that does not parse. */
function refuse(status: keyof typeof REASONS, message: string): Response {
  return Response.json({ statusCode: status, error: REASONS[status], message }, { status })
}
