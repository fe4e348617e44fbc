import { applyActions } from './actions.ts'
import type { Place } from './assets-address.ts'
import { LakeError } from './errors.ts'
import type { LakeDocument, Mutation } from './model.ts'
import { applyMutations, type MutationResult } from './mutations.ts'
import { type Asker, answer, answerNow, type Query } from './query.ts'
import { createStaging } from './staging.ts'
import type { Store } from './store.ts'
import { createViews, viewOf } from './views.ts'

/** A task from outside that the sandbox works on, since nobody knows its cost beforehand. */
export type Task =
  | {
      readonly kind: 'query'
      readonly query: Query
      readonly perspective: string
      readonly asker: Asker
    }
  | {
      /** Which of the documents each listener's query matches, one document at a time. */
      readonly kind: 'match'
      readonly queries: readonly Query[]
      readonly documents: readonly (LakeDocument | null)[]
      readonly now: number
    }
  | ({
      readonly kind: 'mutate'
      readonly mutations: readonly unknown[]
      readonly autoGenerateArrayKeys: boolean
      readonly asker: Asker
    } & Transaction)
  | ({ readonly kind: 'act'; readonly actions: readonly unknown[] } & Transaction)

export interface Transaction {
  readonly transactionId: string
  readonly timestamp: string
}

/** What each kind of task comes to. */
export interface Outcomes {
  /** JSON. */
  readonly query: string
  /** For each query, for each document. */
  readonly match: readonly (readonly boolean[])[]
  readonly mutate: Changes & { readonly results: readonly MutationResult[] }
  readonly act: Changes
}

/** What a transaction would do. */
export interface Changes {
  readonly mutations: readonly Mutation[]
  /** The documents after it; null where there is none any more. */
  readonly after: readonly (readonly [id: string, document: LakeDocument | null])[]
}

/** An answer that is larger belongs to an export. */
const MOST_ANSWER_CHARACTERS = 8 * 1024 * 1024
const MOST_ROWS = 20_000
const MOST_CHANGED_CHARACTERS = 16 * 1024 * 1024

/** Makes what works tasks out. @param newName makes names for documents and keys */
export function createTasks(
  known: Pick<Store, 'documents' | 'version'>,
  place: Place,
  newName: () => string,
) {
  const views = createViews(known, place)

  function answered({
    query,
    perspective,
    asker,
  }: Extract<Task, { kind: 'query' }>): string | Promise<string> {
    const result = answer(query, views.view(perspective), asker)
    return result instanceof Promise ? result.then(each => written(query, each)) : written(query, result)
  }

  function written(query: Query, answer: unknown): string {
    const result = answer ?? null
    if (Array.isArray(result) && result.length > MOST_ROWS)
      throw tooMuch(query, `it finds more than ${MOST_ROWS.toLocaleString('en')} rows`)
    const text = JSON.stringify(result)
    if (text.length > MOST_ANSWER_CHARACTERS) throw tooMuch(query, 'its answer is larger than 8 MB')
    return text
  }

  function match({ queries, documents, now }: Extract<Task, { kind: 'match' }>) {
    return queries.map(query => {
      // Asked of no documents first: a query that does not parse is refused, even where nothing is to be matched.
      answerNow(query, viewOf([]), { now, identity: '' })
      return documents.map(document => document !== null && matches(query, document, now))
    })
  }

  function changes<T>(transaction: Transaction, work: (staging: ReturnType<typeof createStaging>) => T) {
    const staging = createStaging(known.documents, transaction)
    const value = work(staging)
    const { mutations, steps } = staging.finish()
    const after = steps.map(({ id, after: document }) => [id, document] as const)
    if (JSON.stringify(after).length > MOST_CHANGED_CHARACTERS)
      throw new LakeError(413, 'The transaction changes more than 16 MB at once', {
        error: { type: 'mutationError', description: 'The transaction changes more than 16 MB at once' },
      })
    return { value, changes: { mutations, after } }
  }

  return {
    /** Does the work before it returns, save for the few queries that need promises. */
    run(task: Task): Outcomes[keyof Outcomes] | Promise<string> {
      switch (task.kind) {
        case 'query':
          return answered(task)
        case 'match':
          return match(task)
        case 'mutate': {
          const { mutations, autoGenerateArrayKeys, asker } = task
          const matching = (text: string, params: Query['params']) =>
            idsIn(answerNow({ query: text, params }, viewOf([...known.documents.values()]), asker))
          const done = changes(task, staging =>
            applyMutations(staging, mutations, { matching, autoGenerateArrayKeys, newId: newName }),
          )
          return { ...done.changes, results: done.value }
        }
        case 'act':
          return changes(task, staging => applyActions(staging, task.actions)).changes
      }
    },
  }
}

function matches(query: Query, document: LakeDocument, now: number): boolean {
  const result = answerNow(query, viewOf([document]), { now, identity: '' })
  return Array.isArray(result) ? result.length > 0 : result !== null && result !== false && result !== 0
}

/** The ids that a query of documents matches, drafts and versions included. */
function idsIn(found: unknown): string[] {
  return [found]
    .flat()
    .flatMap(each => ((each as { _id?: string } | null)?._id ? [(each as { _id: string })._id] : []))
}

function tooMuch({ query }: Query, reason: string): LakeError {
  const description = `This query asks for too much: ${reason}. Ask for less, or export the dataset.`
  return new LakeError(400, description, { error: { type: 'queryEvaluationError', description, query } })
}
