import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Names that only the authors understood, and the field's term that stands in their place. */
const COINED: Readonly<Record<string, string>> = {
  corridor: 'route handler',
  House: 'App',
  Surroundings: 'dependencies',
  askAside: 'askWorker',
  isCrooked: 'isAmbiguousPath',
  FillGaps: 'template with placeholders',
  Patience: 'timeouts',
  quickDigests: 'sync digests',
  takeWay: 'flow',
  travelling: 'fallback storage',
  Keeping: 'storage',
  sayingOf: 'cacheKey',
  Crumb: 'breadcrumb',
  giveBackLease: 'releaseLease',
  whileHeld: 'with-lease',
  enlist: 'acquire',
  letGo: 'release',
  premises: 'test environment',
  lever: 'fault',
}

/** File names that were coined; each is called otherwise now. */
const COINED_FILES =
  /^(aside|event-door|card-door|kept-(?:card-pages|compression|secrets|mission)|\w+-with-gaps|quick-digests|slow-senders|look-ups|operators-year|judge|house\.test|dress\w*|warm|corridor\w*)\./

/** What the product needs a word of its own for. Each has a line in docs/glossary.md. */
const EXPLAINED = [
  'act',
  'admit',
  'arrival',
  'attempt',
  'calm',
  'choice',
  'claim',
  'desk',
  'door',
  'envelope',
  'face',
  'gate',
  'hold',
  'ink, paper',
  'letter',
  'lost link',
  'overtaken',
  'passport',
  'peer',
  'plant',
  'rival',
  'room',
  'sighting',
  'snapshot',
  'splash',
  'stand-in',
  'stock',
  'story',
  'tell, telling',
  'turn',
  'visit flag',
  'way',
]

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 1e8,
}).split('\n')

const code = tracked.filter(file => /^(src|studio\/src|bench)\/.*\.(tsx?|astro)$/.test(file))
const wordsIn = (file: string): ReadonlySet<string> => {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  return new Set(text.match(/[A-Za-z]\w*/g))
}

describe('names', () => {
  it('are the terms of the field, not words of our own', () => {
    expect(code.length).toBeGreaterThan(900)
    const coined = Object.keys(COINED)
    const found = code.flatMap(file => {
      const words = wordsIn(file)
      return coined.filter(name => words.has(name)).map(name => `${file}: ${name}`)
    })
    expect(found).toEqual([])
  })

  it('of files are such terms too', () => {
    expect(code.filter(file => COINED_FILES.test(basename(file)))).toEqual([])
  })

  it('that the product needs stand in the glossary', () => {
    const glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
    const terms = [...glossary.matchAll(/^\| (?!term \| means)([^|]+) \|/gm)].map(([, term = '']) =>
      term.trim(),
    )
    expect(EXPLAINED.filter(term => !terms.includes(term))).toEqual([])
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([])
  })
})
