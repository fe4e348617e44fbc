/**
 * How often a periodic job was done, by what servers have said.
 * @param output lines of the server's log, among others that are not of it
 */
export function runsOf(output: string, job: string): number {
  const said = output.split('\n').filter(line => line.startsWith('{') && line.endsWith('}'))
  return said
    .map(line => JSON.parse(line) as { readonly event?: unknown; readonly work?: unknown })
    .filter(({ event, work }) => event === 'job-done' && work === job).length
}
