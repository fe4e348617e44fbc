import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isCampaignCode } from '#domain/campaign/campaigns.ts'
import { reservedWords } from '#domain/campaign/reserved-words.ts'
import * as paths from '#paths'

const words = reservedWords(paths.PUBLISHED_PAGES.map(({ path }) => path))

/** What the addresses of a module begin with: every constant that is a path. */
const inThePaths = Object.values<unknown>({ ...paths })
  .filter((value): value is string => typeof value === 'string' && value.startsWith('/'))
  .map(path => path.split('/')[1] ?? '')

/** Files and folders that answer at an address beside the languages. */
const inTheFolder = readdirSync('src/pages').map(name => name.replace(/\.astro$/, ''))

/** What a campaign could be called at all: not the empty word, no file, no folder in brackets. */
const couldBeCodes = (some: readonly string[]) => [...new Set(some)].filter(isCampaignCode)

describe('a word that an address of the site begins with', () => {
  it.each(couldBeCodes([...inThePaths, ...inTheFolder]))('%s can be no campaign’s', word =>
    expect(words).toContain(word),
  )

  it.each(['health', 'ledger', 'transparency', 'passport', 'g'])('%s is kept free', word =>
    expect(words).toContain(word),
  )
})
