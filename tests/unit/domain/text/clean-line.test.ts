import { expect, it, vi } from 'vitest'

it('asks how characters are joined only for a line that may be too long', async () => {
  vi.resetModules()
  const { cleanLine } = await import('#domain/text/clean-line.ts')
  const asked = vi.spyOn(Intl, 'Segmenter')
  expect(cleanLine('x'.repeat(80), 80)).toHaveLength(80)
  expect(asked).not.toHaveBeenCalled()
  expect(cleanLine('x'.repeat(81), 80)).toHaveLength(80)
  expect(cleanLine('x'.repeat(81), 80)).toHaveLength(80)
  expect(asked).toHaveBeenCalledOnce()
})
