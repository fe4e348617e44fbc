import { Script } from 'node:vm'
import { LakeError } from './errors.ts'
import { createNames } from './ids.ts'
import type { LakeDocument } from './model.ts'
import type { Asked, Said } from './sandbox.ts'
import { createTasks } from './tasks.ts'

/**
 * The sandbox's own process. It works out what comes from outside, one task after another, with a heap of its own: what
 * explodes in here ends this process and nothing else. It has no settings, no secrets and no files.
 */

interface KnownLake {
  readonly documents: Map<string, LakeDocument>
  version: number
  readonly tasks: ReturnType<typeof createTasks>
}

const lakes = new Map<number, KnownLake>()

function lakeOf({ lake, place }: Asked): KnownLake {
  const known = lakes.get(lake)
  if (known) return known
  const documents = new Map<string, LakeDocument>()
  const made: KnownLake = {
    documents,
    version: 0,
    tasks: createTasks(
      { documents, version: () => made.version },
      { ...place, origin: () => origin },
      createNames(Math.random),
    ),
  }
  lakes.set(lake, made)
  return made
}

let origin = ''
let work: () => unknown = () => undefined

// The only way to interrupt work that does not end: V8 limits the time of a script with everything that it calls.
Reflect.set(globalThis, 'workInSandbox', () => work())
const script = new Script('workInSandbox()')

async function answer(asked: Asked): Promise<Said> {
  const lake = lakeOf(asked)
  origin = asked.place.origin
  for (const id of asked.gone) lake.documents.delete(id)
  for (const document of asked.put) lake.documents.set(document._id, document)
  if (asked.put.length + asked.gone.length > 0) lake.version++
  try {
    work = () => lake.tasks.run(asked.task)
    return { done: await script.runInThisContext({ timeout: asked.limitMs }) }
  } catch (error) {
    if (error instanceof LakeError) return { refused: [error.status, error.message, error.body] }
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { overrun: 'time' }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

process.on('message', (asked: Asked | { readonly forget: number }) => {
  if ('forget' in asked) return void lakes.delete(asked.forget)
  void answer(asked).then(said => process.send?.(said))
})
process.on('disconnect', () => process.exit())

process.send?.('ready')
