import { Badge, Box, Card, Flex, Heading, Stack, Text } from '@sanity/ui'
import { type CSSProperties, type ReactNode, useId } from 'react'
import { headingOf } from './WayButton.tsx'
import type { Part } from './ways.ts'

/**
 * A part of the tool under its own heading.
 * @param part by which a press elsewhere leads here
 * @param nothing what is said in place of its contents, where there are none yet
 */
export function Section({
  title,
  part,
  says,
  nothing,
  children,
}: {
  title: string
  part?: Part
  says?: string
  nothing?: string | false
  children: ReactNode
}) {
  const own = useId()
  const id = part === undefined ? own : headingOf(part)
  return (
    <Card as="section" border padding={4} radius={3} aria-labelledby={id}>
      <Stack gap={4}>
        <Stack gap={3}>
          <Heading as="h2" size={1} id={id} tabIndex={-1}>
            {title}
          </Heading>
          {says && (
            <Text size={1} muted>
              {says}
            </Text>
          )}
        </Stack>
        {nothing ? <Nothing>{nothing}</Nothing> : children}
      </Stack>
    </Card>
  )
}

/** What stands where there is nothing to show yet. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <Text size={1} muted>
    {children}
  </Text>
)

/** One number with its name above it, as an item of a list. */
export function Tile({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Card as="li" border padding={3} radius={2}>
      <Stack gap={3}>
        <Text size={1} muted>
          {name}
        </Text>
        <Heading as="p" size={2}>
          {value}
        </Heading>
        {note && (
          <Text size={1} muted>
            {note}
          </Text>
        )}
      </Stack>
    </Card>
  )
}

export interface Column {
  readonly title: string
  /** Numbers stand at the right. */
  readonly right?: true
}

export interface Row {
  readonly key: string
  /** One per column; the first names the row. */
  readonly cells: readonly ReactNode[]
  /** Something smaller beneath the row's name. */
  readonly note?: string
  /** Draws a bar under the row's name: a part of the longest, 0 to 1. */
  readonly bar?: number
}

const CELL: CSSProperties = { padding: '8px 10px 10px 0', verticalAlign: 'top' }

/**
 * Figures as a table, whose rows may carry bars: the chart and its text are one. It scrolls by itself where a window
 * is narrow.
 */
export function Figures({
  caption,
  columns,
  rows,
}: {
  caption: string
  columns: readonly Column[]
  rows: readonly Row[]
}) {
  const id = useId()
  const aligned = ({ right }: Column): CSSProperties => ({ ...CELL, textAlign: right ? 'right' : 'left' })
  return (
    <Box role="region" aria-labelledby={id} tabIndex={0} overflow="auto" paddingTop={1}>
      <table style={{ borderCollapse: 'collapse', width: '100%' }}>
        <caption id={id} style={{ textAlign: 'left', paddingBottom: 8 }}>
          <Text size={1} weight="semibold">
            {caption}
          </Text>
        </caption>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.title} scope="col" style={aligned(column)}>
                <Text as="span" size={1} muted>
                  {column.title}
                </Text>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.key} style={{ borderTop: '1px solid var(--card-border-color)' }}>
              {columns.map((column, n) =>
                n === 0 ? (
                  <th
                    key={column.title}
                    scope="row"
                    style={{ ...aligned(column), width: '100%', minWidth: 130 }}
                  >
                    <Stack gap={2}>
                      <Text size={1}>{row.cells[n]}</Text>
                      {row.note && (
                        <Text size={1} muted>
                          {row.note}
                        </Text>
                      )}
                      {row.bar !== undefined && <Bar part={row.bar} />}
                    </Stack>
                  </th>
                ) : (
                  <td key={column.title} style={aligned(column)}>
                    <Text
                      as="span"
                      size={1}
                      style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
                    >
                      {row.cells[n]}
                    </Text>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}

/** Tables that are read one by one, such as those of currencies: beside each other where there is room. */
export const Tables = ({ children }: { children: ReactNode }) => (
  <div
    style={{
      display: 'grid',
      gap: '28px 32px',
      gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 340px), 1fr))',
      alignItems: 'start',
    }}
  >
    {children}
  </div>
)

/** Says nothing that its row does not say in numbers. */
function Bar({ part }: { part: number }) {
  const width = `${Math.max(0, Math.min(1, part)) * 100}%`
  return (
    <svg aria-hidden="true" width="100%" height="6" style={{ display: 'block', marginTop: 2 }}>
      <rect width="100%" height="6" rx="3" fill="currentColor" opacity="0.08" />
      <rect width={width} height="6" rx="3" fill="var(--card-link-color, currentColor)" />
    </svg>
  )
}

/** The parts of rows that are bars: each value as a part of the largest. */
export function barsOf(values: readonly number[]): (value: number) => number {
  const largest = Math.max(0, ...values)
  return value => (largest === 0 ? 0 : value / largest)
}

export type Tone = 'positive' | 'caution' | 'critical' | 'default'

/** A state in one word. Its colour adds nothing to the word. */
export const State = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <Flex>
    <Badge tone={tone} fontSize={1}>
      {children}
    </Badge>
  </Flex>
)
