import { describe, expect, it } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { runsOf } from '../../../bench/harness/job-runs.ts'

function said(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = ['\n  Site          http://127.0.0.1\n\n']
  write(createLog(line => lines.push(line)))
  return lines.join('')
}

describe('runs of a job', () => {
  it('are counted in what the server’s own log writes', () => {
    const output = said(log => {
      log.info('job-done', { work: 'reminders', reminded: 0 })
      log.info('job-done', { work: 'retention', cards: 1, others: 2 })
      log.info('job-done', { work: 'reminders', reminded: 3 })
    })

    expect(runsOf(output, 'reminders')).toBe(2)
    expect(runsOf(output, 'retention')).toBe(1)
    expect(runsOf(output, 'auto-donation')).toBe(0)
  })

  it('are those that came to an end', () => {
    const output = said(log => log.error('periodic-work-failed', new Error('gone'), { work: 'reminders' }))

    expect(runsOf(output, 'reminders')).toBe(0)
  })
})
