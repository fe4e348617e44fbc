import { expect, it } from 'vitest'
import { createInvitation } from '#stores/invitation.ts'
import type { TabValue } from '#stores/tab.ts'

function inMemory<T>(value?: T): TabValue<T> {
  return {
    get: () => value,
    set: next => {
      value = next
    },
  }
}

it('says where an invitation’s link was mailed, once it is not shown any more', async () => {
  const invitation = createInvitation({
    read: async () => ({
      ok: false,
      code: 'links-by-mail',
      fields: [],
      retryAfterSeconds: undefined,
      maskedAddress: 'b…r@example.org',
    }),
    session: inMemory(),
    card: inMemory(),
    later: () => {},
  })
  invitation.begin('cs_1')
  await new Promise<void>(resolve => setImmediate(resolve))
  expect(invitation.$state.get()).toEqual({ kind: 'by-mail', address: 'b…r@example.org' })
})
