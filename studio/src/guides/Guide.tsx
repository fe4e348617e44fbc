/// <reference types="vite/client" />
import { Box, Button, Dialog, Heading, Stack, Text } from '@sanity/ui'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type Block, blocksOf, spansOf } from './markdown.ts'

/** The pages of `docs/guides`, each loaded when it is opened. */
const GUIDES = import.meta.glob<string>('../../../docs/guides/*.md', { query: '?raw', import: 'default' })

/**
 * A button that opens a guide in place, at the heading that is named.
 * @param page `docs/guides/treasurers-month.md#3-pay`
 * @param about what tells it from the others
 */
export function GuideButton({ page, about }: { page: string; about: string }) {
  const [open, setOpen] = useState<string>()
  return (
    <>
      <Button
        mode="ghost"
        padding={4}
        text="Read how"
        aria-label={`Read how: ${about}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(page)}
      />
      {open !== undefined && <Guide page={open} turn={setOpen} close={() => setOpen(undefined)} />}
    </>
  )
}

function Guide({
  page,
  turn,
  close,
}: {
  page: string
  /** Opens another page in its place. */
  turn: (page: string) => void
  close: () => void
}) {
  const id = useId()
  const [text, setText] = useState<string>()
  const body = useRef<HTMLDivElement>(null)
  const [file = '', heading] = page.split('#')
  useEffect(() => {
    let isLeft = false
    void Promise.resolve(GUIDES[`../../../${file}`]?.()).then(
      read => isLeft || setText(read ?? MISSING),
      () => isLeft || setText(MISSING),
    )
    return () => {
      isLeft = true
    }
  }, [file])
  useEffect(() => {
    if (text === undefined) return
    body.current?.querySelector(`[data-heading="${heading ?? ''}"]`)?.scrollIntoView()
  }, [text, heading])
  const [title, ...blocks] = blocksOf(text ?? '')
  const follow = (to: string) => turn(to.startsWith('#') ? file + to : `docs/guides/${to}`)
  return (
    <Dialog
      id={id}
      header={title?.kind === 'heading' ? title.text : 'How it is done'}
      width={2}
      onClose={close}
      onClickOutside={close}
    >
      <Box padding={4} ref={body}>
        <Blocks blocks={blocks} follow={follow} />
      </Box>
    </Dialog>
  )
}

const MISSING =
  '# How it is done\n\nThis page could not be read. It lies among the files of the site, in `docs/guides`.'

interface Followed {
  readonly follow: (to: string) => void
}

function Blocks({ blocks, follow }: { blocks: readonly Block[] } & Followed): ReactNode {
  return (
    <Stack gap={4}>
      {blocks.map((block, n) => (
        // The blocks of a page never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <BlockOf key={n} block={block} follow={follow} />
      ))}
    </Stack>
  )
}

function BlockOf({ block, follow }: { block: Block } & Followed): ReactNode {
  switch (block.kind) {
    case 'heading':
      return (
        <Heading as="h3" size={1} data-heading={block.id} style={{ scrollMarginTop: 24 }}>
          {block.text}
        </Heading>
      )
    case 'paragraph':
      return <Line text={block.text} follow={follow} />
    case 'code':
      return (
        <Box overflow="auto" tabIndex={0} role="region" aria-label="Commands">
          <pre style={{ margin: 0, font: '13px/1.5 monospace' }}>{block.text}</pre>
        </Box>
      )
    case 'list':
      return (
        <Box
          as={block.isOrdered ? 'ol' : 'ul'}
          style={{ margin: 0, paddingLeft: 24, listStyle: block.isOrdered ? 'decimal' : 'disc' }}
        >
          {block.items.map((item, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a page never change their order
            <li key={n} style={{ paddingBottom: 12 }}>
              <Blocks blocks={item} follow={follow} />
            </li>
          ))}
        </Box>
      )
    case 'table':
      return <Table rows={block.rows} follow={follow} />
  }
}

function Table({
  rows: [titles = [], ...rows],
  follow,
}: { rows: readonly (readonly string[])[] } & Followed) {
  const cell = { padding: '8px 12px 8px 0', verticalAlign: 'top', textAlign: 'left' } as const
  return (
    <Box overflow="auto" tabIndex={0} role="region" aria-label={titles.join(', ')}>
      <table style={{ borderCollapse: 'collapse' }}>
        <thead>
          <tr>
            {titles.map(title => (
              <th key={title} scope="col" style={cell}>
                <Text size={1} muted>
                  {title}
                </Text>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.join()} style={{ borderTop: '1px solid var(--card-border-color)' }}>
              {row.map((text, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table
                <td key={n} style={cell}>
                  <Line text={text} follow={follow} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}

const MARKS = { code: 'code', strong: 'strong', emphasis: 'em', text: 'span' } as const

/** It looks like a link; the ring of the focus stays. */
const LINK = {
  background: 'none',
  border: 0,
  padding: 0,
  font: 'inherit',
  color: 'inherit',
  cursor: 'pointer',
  textDecoration: 'underline',
} as const

function Line({ text, follow }: { text: string } & Followed) {
  return (
    <Text size={1} style={{ overflowWrap: 'anywhere' }}>
      {spansOf(text).map((span, n) => {
        const key = `${n} ${span.text}`
        if (span.kind !== 'link') {
          const As = MARKS[span.kind]
          return <As key={key}>{span.text}</As>
        }
        if (/^https?:/.test(span.to))
          return (
            <a key={key} href={span.to} target="_blank" rel="noreferrer">
              {span.text}
            </a>
          )
        // Other pages of the repository are not shown here.
        if (!/^(?:[\w-]+\.md)?(?:#|$)/.test(span.to)) return span.text
        return (
          <button key={key} type="button" onClick={() => follow(span.to)} style={LINK}>
            {span.text}
          </button>
        )
      })}
    </Text>
  )
}
