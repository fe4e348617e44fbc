import { expect, it } from 'vitest'
import { checkVersions } from '#server/platform/db/versions.ts'

it.each([
  { node: '24.15.0', sqlite: '3.51.3' },
  { node: '24.21.0', sqlite: '3.53.4' },
  { node: '26.0.0', sqlite: '4.0.0' },
])('accepts Node $node with SQLite $sqlite', versions => {
  expect(() => checkVersions(versions)).not.toThrow()
})

it.each([
  { node: '24.14.9', sqlite: '3.53.4', says: 'Node 24.15.0 or later is needed, this is 24.14.9' },
  { node: '22.99.0', sqlite: '3.53.4', says: 'this is 22.99.0' },
  { node: '24.21.0', sqlite: '3.51.2', says: 'SQLite 3.51.3 or later is needed' },
  { node: '24.21.0', sqlite: '3.50.9', says: 'this Node has 3.50.9' },
  { node: '24.21.0', sqlite: undefined, says: 'this Node has none' },
])('refuses Node $node with SQLite $sqlite and says why', ({ says, ...versions }) => {
  expect(() => checkVersions(versions)).toThrow(says)
})
