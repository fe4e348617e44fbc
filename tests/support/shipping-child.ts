import { setImmediate as nextTurn } from 'node:timers/promises'
import { openDatabase } from '#server/platform/db/database.ts'
import { sight } from '#server/platform/db/sightings.ts'
import { createLog } from '#server/platform/log.ts'
import { createShipping } from '#server/platform/wal-archive/ship.ts'
import { folderStore } from '#server/platform/wal-archive/store.ts'

/**
 * Writes row after row, ships as the site does, and says of each when it was committed and when it was told to be safe,
 * until it is killed. Arguments: the folder of the data, that of the archive.
 */
const [dataDir = '', archive = ''] = process.argv.slice(2)
const db = await openDatabase({ dataDir })
const shipping = createShipping({
  dataDir,
  db,
  store: folderStore(archive),
  clock: Date.now,
  monotonic: () => performance.now(),
  log: createLog(line => void process.stderr.write(line)),
  foldAfter: 50,
})
await shipping.turn()
setInterval(() => void shipping.turn(), 1_000)
for (let n = 1; ; n++) {
  await db.transaction(trx => sight(trx, `row ${n}`, n))
  // A server, too, has other things to do between two writes.
  await nextTurn()
  process.stdout.write(`written ${n} ${Date.now()}\n`)
  // Every tenth is one that somebody is told of.
  if (n % 10 !== 0) continue
  const so = n
  void shipping.shipped().then(() => process.stdout.write(`safe ${so} ${Date.now()}\n`))
}
