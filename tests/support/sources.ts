import { globSync } from 'node:fs'

/** The source files that match, but those that a tool has made. */
export const sourceFiles = (patterns: string | string[]): string[] =>
  globSync(patterns).filter(file => !file.includes('/generated/'))
