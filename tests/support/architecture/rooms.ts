import type { Import } from './imports.ts'

/** The room that a file is in: the folder that the table of walls has a line for. */
export function roomOf(file: string): string {
  const [, top = '', second = '', third = ''] = file.split('/')
  if (top !== 'server') return top.replace(/\.(d\.)?ts$/, '')
  const isGrouped = ['modules', 'platform', 'http'].includes(second)
  return (isGrouped ? `${second}/${third}` : `server/${second}`).replace(/\.ts$/, '')
}

/** Who may import whom. */
export type Walls = Readonly<Record<string, readonly string[]>>

/** The imports that no line of the table allows, one line each. */
export function crossings(imports: readonly Import[], walls: Walls): string[] {
  return imports
    .filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)]
      return room !== other && !walls[room]?.includes(other)
    })
    .map(({ from, to }) => `${roomOf(from)} → ${roomOf(to)}: ${from} imports ${to}`)
}

const SCREENS = 'src/screens/'

/** The imports by which a screen reaches another one, or `shared` reaches a screen; one line each. */
export function screenCrossings(imports: readonly Import[]): string[] {
  const screenOf = (file: string): string => file.slice(SCREENS.length).split('/')[0] ?? ''
  return imports
    .filter(({ from, to }) => from.startsWith(SCREENS) && to.startsWith(SCREENS))
    .filter(({ from, to }) => screenOf(to) !== 'shared' && screenOf(from) !== screenOf(to))
    .map(({ from, to }) => `${screenOf(from)} → ${screenOf(to)}: ${from} imports ${to}`)
}

/** The rings of a table: rooms that reach themselves through others, each ring once. */
export function ringsOf(walls: Walls): string[][] {
  const reach = (room: string, seen: Set<string>): Set<string> => {
    for (const next of walls[room] ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      reach(next, seen)
    }
    return seen
  }
  const reached = new Map(Object.keys(walls).map(room => [room, reach(room, new Set())]))
  const rings = new Map<string, string[]>()
  for (const [room, rooms] of reached) {
    if (!rooms.has(room)) continue
    const ring = [room, ...rooms].filter(other => rooms.has(other) && reached.get(other)?.has(room))
    const sorted = [...new Set(ring)].sort()
    rings.set(sorted.join(' '), sorted)
  }
  return [...rings.values()]
}
