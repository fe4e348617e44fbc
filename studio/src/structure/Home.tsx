import { Box, Card, Heading, Stack, Text, useMediaIndex } from '@sanity/ui'
import { type ReactNode, useEffect, useState } from 'react'
import type { Tool } from 'sanity'
import { StateLink, useRouterState } from 'sanity/router'
import { dueWords } from '../desk/duties.ts'
import { readDue } from '../operations/read-figures.ts'
import type { DueAnswer } from '../product.ts'

/** How wide the Studio draws the column of the first list where nothing is open beside it, in pixels. */
const FIRST_LIST_PX = 351
/** The tool's panes lie in a layer of their own; menus and dialogs lie far above it. */
const ABOVE_PANES = 101
/** From this step of the Studio's widths on there is room beside the list. */
const WIDE = 2

/** The tool, with a word of where to begin as long as nothing is open. */
export function withHome(tool: Tool): Tool {
  const Content = tool.component
  return {
    ...tool,
    component: props => (
      <Box height="fill" style={{ position: 'relative' }}>
        <Content {...props} />
        <Home />
      </Box>
    ),
  }
}

function Home(): ReactNode {
  const isOpen = useRouterState(state => ((state.panes as unknown[] | undefined)?.length ?? 0) > 0)
  const isWide = useMediaIndex() >= WIDE
  if (isOpen || !isWide) return null
  return (
    <Card
      padding={5}
      style={{
        position: 'absolute',
        inset: `0 0 0 ${FIRST_LIST_PX}px`,
        display: 'grid',
        placeItems: 'center',
        zIndex: ABOVE_PANES,
      }}
    >
      <Stack gap={4} style={{ maxWidth: 420 }}>
        <Heading as="h2" size={2}>
          What visitors read
        </Heading>
        <Text>
          Choose on the left what you want to change: the column follows the year. Nothing is on the site
          before you press Publish, and then within two seconds.
        </Text>
        <Text>
          Begin with <StateLink state={{ panes: [[{ id: 'this-years-list' }]] }}>this year’s list</StateLink>,
          or with <StateLink state={{ panes: [[{ id: 'review-due' }]] }}>what is due for review</StateLink>.
          What was sold and what needs you is under Operations, above.
        </Text>
        <DueHere />
      </Stack>
    </Card>
  )
}

/** What is due, as far as the site says so: nothing where it does not, since Operations says why. */
function DueHere(): ReactNode {
  const [due, setDue] = useState<DueAnswer>([])
  useEffect(() => {
    const leaving = new AbortController()
    void readDue((path, init) => fetch(path, init), leaving.signal).then(answer => {
      if (!leaving.signal.aborted) setDue(answer)
    })
    return () => leaving.abort()
  }, [])
  if (due.length === 0) return null
  return (
    <Stack gap={3}>
      <Heading as="h3" size={1}>
        What is due
      </Heading>
      <Stack as="ul" gap={3} margin={0} padding={0} style={{ listStyle: 'none' }}>
        {due.map(each => (
          <Text as="li" key={each.name} size={1}>
            {dueWords(each).says}
          </Text>
        ))}
      </Stack>
    </Stack>
  )
}
