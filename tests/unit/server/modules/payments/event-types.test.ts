import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EVENTS, missingEvents } from '#server/modules/payments/event-types.ts'

it('the guide to going live names every event that the webhook has to send', () => {
  const guide = readFileSync('docs/guides/deploy.md', 'utf8')
  for (const type of Object.keys(EVENTS)) expect(guide).toContain(`\`${type}\``)
})

it('a webhook of every event, or of all that are followed, lacks none', () => {
  expect(missingEvents(['*'])).toEqual([])
  expect(missingEvents(Object.keys(EVENTS))).toEqual([])
  expect(missingEvents(['charge.refunded'])).not.toContain('charge.refunded')
  expect(missingEvents([])).toEqual(Object.keys(EVENTS))
})
