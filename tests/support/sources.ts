import { globSync } from 'node:fs'

/** What `rooms.test.ts` puts into a room for as long as it looks at it. */
const OF_A_TEST = /\/door-\w{6}\//

/** The source files that match, but those that a test has made and will take away. */
export const sourceFiles = (patterns: string | string[]): string[] =>
  globSync(patterns).filter(file => !OF_A_TEST.test(file) && !file.includes('/generated/'))
