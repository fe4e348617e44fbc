import { expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { CAUSES } from '#domain/public-ledger/leaf.ts'
import { CATALOGUES } from '#i18n/catalogues.ts'
import { ACCOUNTS } from '#server/modules/ledger/accounts.ts'

it.each(LANGUAGES)('every account and every cause of the public ledger has its words in %s', language => {
  const known = Object.keys(CATALOGUES[language])
  expect(known).toEqual(
    expect.arrayContaining([
      ...ACCOUNTS.map(account => `ledger-account-${account}`),
      ...CAUSES.map(cause => `ledger-cause-${cause}`),
    ]),
  )
})
