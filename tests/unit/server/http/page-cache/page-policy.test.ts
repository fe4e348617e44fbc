import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { pagePolicy } from '#server/http/page-cache/page-policy.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heldMegabytes(): number {
  collect()
  return process.memoryUsage().heapUsed / 1_000_000
}

describe('the policy of a page', () => {
  it('does not keep the page that it was made for in memory', () => {
    const headers = { 'content-security-policy': "default-src 'none'" }
    const rest = 'x'.repeat(200_000)
    const before = heldMegabytes()

    for (let n = 0; n < 200; n++) {
      const body = Buffer.from(`<script>const asOfThisPageAlone = ${n}</script>${rest}`)
      pagePolicy({ status: 200, headers, body, unmatched: false })
    }

    expect(heldMegabytes() - before).toBeLessThan(10)
  })
})
