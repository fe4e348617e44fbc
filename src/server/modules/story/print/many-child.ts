import { text } from 'node:stream/consumers'
import type { ManySheetsFacts } from './many-job.ts'
import { manySheets } from './many-sheets.ts'

/**
 * A process of its own, so that the site never feels it: reads what stands on the sheets from its standard input, and
 * writes the PDF to its standard output. What it reads holds keys, so nothing of it stands in an argument or a file.
 */
process.stdout.write(await manySheets(JSON.parse(await text(process.stdin)) as ManySheetsFacts))
