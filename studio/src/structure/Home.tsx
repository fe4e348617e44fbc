import { Box, Card, Flex, Heading, Stack, Text, useMediaIndex } from '@sanity/ui'
import { type ReactNode, useEffect, useState } from 'react'
import type { Tool } from 'sanity'
import { StateLink, useRouterState } from 'sanity/router'
import { dueWords } from '../desk/duties.ts'
import { readDue } from '../operations/read-figures.ts'
import { WayButton } from '../operations/WayButton.tsx'
import { toTool } from '../operations/ways.ts'
import type { DueAnswer } from '../product.ts'

/** How wide the Studio draws the column of the first list where nothing is open beside it, in pixels. */
const FIRST_LIST_PX = 351
/** The tool's panes lie in a layer of their own; menus and dialogs lie far above it. */
const ABOVE_PANES = 101
/** From this step of the Studio's widths on there is room beside the list. */
const WIDE = 2

/** The tool, with a word of where to begin, and with what is due, as long as nothing is open. */
export function withHome(tool: Tool): Tool {
  const Content = tool.component
  return {
    ...tool,
    component: function WithHome(props) {
      const room = useRoom()
      const due = useDue()
      return (
        <Flex direction="column" height="fill" style={{ position: 'relative' }}>
          {room === 'above' && due.length > 0 && (
            <Card borderBottom padding={4} overflow="auto" style={{ maxHeight: '40%' }}>
              <WhatIsDue due={due} />
            </Card>
          )}
          <Box flex={1} style={{ minHeight: 0 }}>
            <Content {...props} />
          </Box>
          {room === 'beside' && <Home due={due} />}
        </Flex>
      )
    },
  }
}

function Home({ due }: { due: DueAnswer }): ReactNode {
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
        {due.length > 0 && <WhatIsDue due={due} />}
      </Stack>
    </Card>
  )
}

/** Where the tool has room for a word while nothing is open; nowhere once something is. */
function useRoom(): 'beside' | 'above' | undefined {
  const isOpen = useRouterState(state => ((state.panes as unknown[] | undefined)?.length ?? 0) > 0)
  const isWide = useMediaIndex() >= WIDE
  return isOpen ? undefined : isWide ? 'beside' : 'above'
}

/** What is due, as far as the site says so: nothing where it does not, since Operations says why. */
function useDue(): DueAnswer {
  const [due, setDue] = useState<DueAnswer>([])
  useEffect(() => {
    const leaving = new AbortController()
    void readDue((path, init) => fetch(path, init), leaving.signal).then(answer => {
      if (!leaving.signal.aborted) setDue(answer)
    })
    return () => leaving.abort()
  }, [])
  return due
}

function WhatIsDue({ due }: { due: DueAnswer }): ReactNode {
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
      <Flex>
        <WayButton way={toTool('Go to Operations', 'operations')} about="what is due" />
      </Flex>
    </Stack>
  )
}
