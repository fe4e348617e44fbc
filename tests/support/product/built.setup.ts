import { buildWhenNeeded } from '#server/app/build.ts'
import { ROOT } from './root.ts'

/** Builds the site before the first server starts: two that start at once would build over each other. */
export default async function setup(): Promise<void> {
  await buildWhenNeeded(ROOT)
}
