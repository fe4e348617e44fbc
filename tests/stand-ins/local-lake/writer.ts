import { createInterface } from 'node:readline'
import { createLake } from '#stand-ins/local-lake/index.ts'

/**
 * A process that writes a lake until it is killed. First line in: the folder. Then it changes two documents at a
 * time, the same number in both, and says each number once the lake has acknowledged it.
 */
const [dir = ''] = await new Promise<string[]>(resolve => {
  createInterface({ input: process.stdin }).once('line', line => resolve([line]))
})
const lake = await createLake({ dir, openMode: true, historyBytes: 20_000 })
const before = lake.store.documents.get('left')?.n
const filler = 'x'.repeat(300)

for (let n = typeof before === 'number' ? before + 1 : 1; ; n++) {
  const mutations = ['left', 'right'].map(_id => ({ createOrReplace: { _id, _type: 'pair', n, filler } }))
  const response = await lake.fetch(
    new Request('http://localhost/vX/data/mutate/production', {
      method: 'POST',
      body: JSON.stringify({ mutations }),
    }),
  )
  if (response.status !== 200) throw new Error(await response.text())
  process.stdout.write(`${n}\n`)
}
