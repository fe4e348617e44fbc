import type { ReadPdf } from './read-pdf.ts'

/** The dark modules of a code as they were drawn, without the light zone around them. */
export function drawnModules(figure: ReadPdf['figures'][number]): boolean[][] {
  const [square, ...runs] = figure
  const module = runs[0]![3]
  const quiet = 4
  const side = Math.round(square![2] / module) - 2 * quiet
  const rows = Array.from({ length: side }, () => Array<boolean>(side).fill(false))
  for (const [x, y, width] of runs) {
    const column = Math.round((x - square![0]) / module) - quiet
    const row = Math.round((y - square![1]) / module) - quiet
    for (let n = 0; n < Math.round(width / module); n++) rows[row]![column + n] = true
  }
  return rows
}
