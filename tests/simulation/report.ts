import type { Shrunk } from './shrink.ts'
import type { Tally } from './world.ts'
import type { Asked, Outcome } from './year.ts'

interface Shown {
  readonly shrunk: Shrunk | undefined
  /** Everything that was done. */
  readonly isWhole: boolean
  /** What is asked for to see it again. */
  readonly asked: Asked
}

const MOST_LOG = 12

/** A year in words for a terminal. */
export function reportOf(outcome: Outcome, { shrunk, isWhole, asked }: Shown): string {
  const { seed, digest, findings, seconds, tally, human, faults, trace } = outcome
  const lines = [
    `Year ${seed}: ${findings.length === 0 ? 'in order' : `${findings.length} findings`}  (digest ${digest}, ${seconds.toFixed(1)} s)`,
    `  came to   ${listed(tally, name => !name.startsWith('alarm'))}`,
    `  told      ${listed(
      tally,
      name => name.startsWith('alarm'),
      name => name.replace('alarm or error: ', ''),
    )}`,
    `  faults    ${listed(faults)}`,
    '  people did, and what asked for it:',
    ...Object.entries(human).map(([what, times]) => `    ${times} × ${what}`),
    ...(isWhole ? trace.map(line => `  ${line}`) : []),
  ]
  if (findings.length > 0) {
    const again = Object.entries(asked).map(([name, value]) =>
      value === undefined ? '' : ` --${name} ${value}`,
    )
    const last = shrunk?.outcome ?? outcome
    lines.push(
      '  findings:',
      ...last.findings.map(({ rule, says }) => `    ${rule}: ${says}`),
      `  again: npm run simulate --${again.join('')} --trace`,
      ...(shrunk
        ? [`  the shortest way, ${shrunk.scenes.length} scenes, after ${shrunk.runs} tries:`]
        : ['  the last of the way:']),
      ...last.trace.slice(-60).map(line => `    ${line}`),
      '  the log before it:',
      ...last.log.slice(-MOST_LOG).map(line => `    ${line.trimEnd()}`),
    )
  }
  return `${lines.join('\n')}\n\n`
}

function listed(
  tally: Tally,
  isShown: (name: string) => boolean = () => true,
  nameOf: (name: string) => string = name => name,
): string {
  const parts = Object.entries(tally)
    .filter(([name]) => isShown(name))
    .map(([name, times]) => `${times} ${nameOf(name)}`)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}
