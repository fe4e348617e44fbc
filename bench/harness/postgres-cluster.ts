import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { installFromDebian, notAsRoot } from '#tests/support/debian.ts'
import { commandsIn, say } from '#tests/support/guide-commands.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

/** The commands that bring a cluster up; the harness says them as they stand there. */
const GUIDE = 'docs/guides/cluster.md'
const NEEDED: Readonly<Record<string, string>> = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  'etcd-client': '/usr/bin/etcdctl',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  iproute2: '/usr/sbin/ip',
}

export const MACHINES = ['one', 'two', 'three'] as const
export type Machine = (typeof MACHINES)[number]

/** What a machine's Patroni says of its PostgreSQL. */
export interface Member {
  /** `master`, `replica`; of later versions `primary`. */
  readonly role: string
  /** `running`, and of a copy that follows `streaming`. */
  readonly state: string
  readonly timeline?: number
  /** Who copies from it. */
  readonly replication?: readonly {
    readonly application_name: string
    readonly state: string
    readonly sync_state: string
  }[]
}

/**
 * Three machines with PostgreSQL, Patroni and etcd, and one with HAProxy and PgBouncer, as the guide sets them up. Each
 * has a network of its own, so that it can be cut off.
 */
export interface PostgresCluster {
  /** By way of PgBouncer, through a socket: for whoever is on no such network. */
  readonly databaseUrl: string
  /** What each machine says; undefined of one that does not. */
  members(): Promise<Readonly<Record<Machine, Member | undefined>>>
  /** The one that takes writes, while there is exactly one. */
  primary(): Promise<Machine | undefined>
  /** Is there a primary that both others copy from, one of them before each commit is told? */
  isWhole(): Promise<boolean>
  /** Ends everything on a machine at once, as a power cut does. */
  kill(machine: Machine): void
  /** Starts it again: what was not told to end goes on from its folder. */
  start(machine: Machine): Promise<void>
  /** Nothing on the machine runs any more, and nothing is closed. */
  pause(machine: Machine): void
  resume(machine: Machine): void
  /** From now on nothing arrives: neither to nor from anybody, or only the site's machine. */
  cutOff(machine: Machine, from: 'everybody' | 'the other machines'): void
  reconnect(machine: Machine): void
  /** Ends one machine's etcd at once. */
  killEtcd(machine: Machine): void
  startEtcd(machine: Machine): Promise<void>
  /** The end of what the programs on a machine have said. */
  log(machine: Machine): string
  stop(): Promise<void>
}

const NETWORK = '10.77.0'
const ADDRESSES: Readonly<Record<Machine | 'site', string>> = {
  one: `${NETWORK}.11`,
  two: `${NETWORK}.12`,
  three: `${NETWORK}.13`,
  site: `${NETWORK}.1`,
}
/** An address of hardware that nobody has: what is sent there is lost. */
const NOBODY = '02:00:00:00:00:99'

/** Brings it up, by the commands of the guide. @throws Error with what was said where that fails */
export async function startPostgresCluster(): Promise<PostgresCluster> {
  ensureInstalled()
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'))
  notAsRoot(folder)
  const network = openNetwork()
  const guide = commandsIn(GUIDE)
  const [, helpers = ''] = guide.get('What the commands use') ?? []
  /** In the place of the guide's first lines: where things are on this machine. */
  const here = `
export CLUSTER=${folder} PATH=${postgresBinaries()}:/usr/sbin:$PATH
export ONE=${ADDRESSES.one} TWO=${ADDRESSES.two} THREE=${ADDRESSES.three} SITE=${ADDRESSES.site}
on() { machine=$1; shift; ip netns exec "${network.prefix}-$machine" "$@"; }
${helpers}`
  const done = async (commands: string): Promise<string> => {
    const { code, output } = await say(commands, here, {})
    if (code !== 0) throw new Error(`The cluster's commands failed (${code}): ${output}`)
    return output
  }
  const block = (heading: string, n: number): string => guide.get(heading)?.[n] ?? 'false'
  /** What defines a command of the guide, without what is then said of it. */
  const defining = (commands: string): string => commands.slice(0, commands.indexOf('\nfor each'))
  const startEtcd = defining(block('etcd', 0))
  const startPatroni = defining(block('Patroni', 1))

  /** The id of a process that has ended may be another's by now. */
  const forget = (machine: Machine, program: string): void =>
    rmSync(join(folder, machine, `${program}.pid`), { force: true })

  const cluster: PostgresCluster = {
    databaseUrl: '',
    members: () => network.ask(ADDRESSES),
    async primary() {
      const members = await cluster.members()
      const primaries = MACHINES.filter(each => isPrimary(members[each]))
      return primaries.length === 1 ? primaries[0] : undefined
    },
    async isWhole() {
      const members = await cluster.members()
      const [primary, ...others] = MACHINES.map(each => members[each]).filter(isPrimary)
      const copies = primary?.replication?.filter(({ state }) => state === 'streaming') ?? []
      return (
        others.length === 0 &&
        copies.length === MACHINES.length - 1 &&
        copies.some(({ sync_state }) => sync_state === 'sync') &&
        MACHINES.every(each => members[each]?.timeline === undefined || members[each].state !== 'stopped')
      )
    },
    kill(machine) {
      network.signal(machine, 'SIGKILL')
      for (const program of ['etcd', 'patroni']) forget(machine, program)
    },
    async start(machine) {
      await done(`${startEtcd}\n${startPatroni}\netcd_at ${machine}\npatroni_at ${machine}`)
    },
    pause: machine => network.signal(machine, 'SIGSTOP'),
    resume: machine => network.signal(machine, 'SIGCONT'),
    cutOff: (machine, from) => network.cutOff(machine, from),
    reconnect: machine => network.reconnect(machine),
    killEtcd(machine) {
      process.kill(Number(readFileSync(join(folder, machine, 'etcd.pid'), 'utf8')), 'SIGKILL')
      forget(machine, 'etcd')
    },
    async startEtcd(machine) {
      await done(`${startEtcd}\netcd_at ${machine}`)
    },
    log: machine =>
      ['etcd', 'patroni']
        .map(each => join(folder, machine, `${each}.log`))
        .filter(existsSync)
        .map(file => readFileSync(file, 'utf8').split('\n').slice(-40).join('\n'))
        .join('\n'),
    async stop() {
      network.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  try {
    await done(block('The folders and the passwords', 0))
    await done(block('etcd', 0))
    await done(block('Patroni', 0))
    await done(block('Patroni', 1))
    await done(block('HAProxy and PgBouncer', 0))
    const said = await done(block('HAProxy and PgBouncer', 1))
    const url = new URL(/^DATABASE_URL=(.*)$/m.exec(said)?.[1] ?? '')
    url.searchParams.set('host', join(folder, 'site'))
    return { ...cluster, databaseUrl: url.toString() }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

const isPrimary = (member: Member | undefined): boolean =>
  (member?.role === 'master' || member?.role === 'primary') && member.state === 'running'

/** @throws Error with a sentence where something is missing, or this is not root */
function ensureInstalled(): void {
  if (process.getuid?.() !== 0)
    throw new Error('The cluster needs root: each of its machines has a network of its own.')
  for (const [name, program] of Object.entries(NEEDED)) {
    if (existsSync(program)) continue
    installFromDebian(name)
    if (!existsSync(program)) throw new Error(`${program} is missing: apt-get install ${name}`)
  }
}

interface Network {
  /** Of the names of the machines' networks. */
  readonly prefix: string
  signal(machine: Machine, signal: NodeJS.Signals): void
  cutOff(machine: Machine, from: 'everybody' | 'the other machines'): void
  reconnect(machine: Machine): void
  ask(addresses: Readonly<Record<Machine, string>>): Promise<Readonly<Record<Machine, Member | undefined>>>
  /** Ends every process that is on it, and takes it away. */
  close(): void
}

/** Networks of this process's own: a switch on the site's machine, and a line from it to each of the others. */
function openNetwork(): Network {
  const prefix = `bench-${process.pid}`
  const names = ['site', ...MACHINES].map(each => `${prefix}-${each}`)
  const ip = (...words: readonly string[]): string =>
    execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const of = (machine: Machine | 'site', ...words: readonly string[]) =>
    ip('-n', `${prefix}-${machine}`, ...words)
  const pidsOf = (name: string): number[] => ip('netns', 'pids', name).split('\n').filter(Boolean).map(Number)
  const signalAll = (name: string, signal: NodeJS.Signals): void => {
    // Twice: a process may have begun another while the first ones were told.
    for (let round = 0; round < 2; round++)
      for (const pid of pidsOf(name)) {
        try {
          process.kill(pid, signal)
        } catch {
          // It has ended by itself.
        }
      }
  }
  const network: Network = {
    prefix,
    signal: (machine, signal) => signalAll(`${prefix}-${machine}`, signal),
    cutOff(machine, from) {
      if (from === 'everybody') {
        of('site', 'link', 'set', machine, 'down')
        return
      }
      for (const other of MACHINES.filter(each => each !== machine))
        of(machine, 'neigh', 'replace', ADDRESSES[other], 'lladdr', NOBODY, 'dev', 'line', 'nud', 'permanent')
    },
    reconnect(machine) {
      of('site', 'link', 'set', machine, 'up')
      of(machine, 'neigh', 'flush', 'dev', 'line', 'nud', 'permanent')
    },
    async ask(addresses) {
      const script = `Promise.all(${JSON.stringify(MACHINES.map(each => addresses[each]))}.map(each =>
        fetch('http://' + each + ':8008/patroni', { signal: AbortSignal.timeout(1500) }).then(answer => answer.json()).catch(() => null)
      )).then(all => console.log(JSON.stringify(all)))`
      const words = ['netns', 'exec', `${prefix}-site`, process.execPath, '-e', script]
      const { stdout } = await promisify(execFile)('ip', words)
      const said = JSON.parse(stdout) as (Member | null)[]
      return Object.fromEntries(MACHINES.map((each, n) => [each, said[n] ?? undefined])) as Record<
        Machine,
        Member | undefined
      >
    },
    close() {
      process.off('exit', network.close)
      for (const name of names) {
        try {
          signalAll(name, 'SIGKILL')
          ip('netns', 'delete', name)
        } catch {
          // It was not made.
        }
      }
    },
  }
  process.once('exit', network.close)
  // Else a run that is broken off would leave it all running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    for (const name of names) ip('netns', 'add', name)
    of('site', 'link', 'set', 'lo', 'up')
    of('site', 'link', 'add', 'switch', 'type', 'bridge')
    of('site', 'address', 'add', `${ADDRESSES.site}/24`, 'dev', 'switch')
    of('site', 'link', 'set', 'switch', 'up')
    for (const each of MACHINES) {
      of('site', 'link', 'add', each, 'type', 'veth', 'peer', 'name', 'line', 'netns', `${prefix}-${each}`)
      of('site', 'link', 'set', each, 'master', 'switch')
      of('site', 'link', 'set', each, 'up')
      of(each, 'link', 'set', 'lo', 'up')
      of(each, 'address', 'add', `${ADDRESSES[each]}/24`, 'dev', 'line')
      of(each, 'link', 'set', 'line', 'up')
    }
  } catch (error) {
    network.close()
    throw error
  }
  return network
}

/** Waits until something holds, looking once a second. @returns s that it took; undefined when it took longer than so many */
export async function secondsUntil(
  holds: () => Promise<boolean>,
  within: number,
): Promise<number | undefined> {
  const startedAt = performance.now()
  const passed = (): number => (performance.now() - startedAt) / 1_000
  while (passed() < within) {
    if (await holds()) return passed()
    await pause(1_000)
  }
  return undefined
}
