import { expect, it } from 'vitest'
import { PUBLISHED_PAGES } from '#paths'
import { OWN_ROUTES, pageFiles, ROUTES } from '#tests/support/product/every-route.ts'
import type { Contract } from '#wire/contract.ts'

it('the table of routes names every file that answers at an address of its own, and no other', () => {
  const named = new Set(OWN_ROUTES.map(({ from }) => from).filter(from => !from.startsWith('front: ')))
  expect([...named].sort()).toEqual(pageFiles())
})

it('the table of routes names every contract of the wire where its file stands', () => {
  const modules = import.meta.glob<Record<string, Partial<Contract>>>('/src/wire/*.ts', { eager: true })
  const contracts = Object.values(modules).flatMap(module =>
    Object.values(module).flatMap(each =>
      typeof each?.path === 'string' && each.request ? [each.path] : [],
    ),
  )
  expect(contracts.length).toBeGreaterThan(15)
  const named = OWN_ROUTES.flatMap(({ contract }) => contract ?? [])
  expect([...named].sort()).toEqual([...contracts].sort())
  for (const { from, contract } of OWN_ROUTES) {
    if (contract === undefined) continue
    const file = `${contract.slice(1).replaceAll('{', '[').replaceAll('}', ']')}`
    expect([`${file}.ts`, `${file}/index.ts`], contract).toContain(from)
  }
})

it('the table of routes has each published page with and without its language', () => {
  expect(ROUTES.filter(({ from }) => from.startsWith('published: '))).toHaveLength(PUBLISHED_PAGES.length * 4)
})
