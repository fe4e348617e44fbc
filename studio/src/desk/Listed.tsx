import { Button, Card, Flex, Stack, Text } from '@sanity/ui'
import type { ReactNode } from 'react'

/** A list of people or partners, each a `Listed`. */
export function List({ children }: { readonly children: ReactNode }) {
  return (
    <Stack as="ul" gap={2} margin={0} padding={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  )
}

interface ListedProps {
  readonly name: string
  /** How it stands. */
  readonly state: string
  readonly buttons: ReactNode
  /** The form that one of the buttons has opened. */
  readonly children: ReactNode
}

/** One of a list: its name, how it stands, what can be done with it. */
export function Listed({ name, state, buttons, children }: ListedProps) {
  return (
    <Card as="li" border padding={3} radius={2}>
      <Stack gap={3}>
        <Flex gap={3} wrap="wrap" align="center" justify="space-between">
          <Stack gap={2}>
            <Text size={1} weight="semibold">
              {name}
            </Text>
            <Text size={1} muted>
              {state}
            </Text>
          </Stack>
          {buttons && (
            <Flex gap={2} wrap="wrap">
              {buttons}
            </Flex>
          )}
        </Flex>
        {children}
      </Stack>
    </Card>
  )
}

interface OpensFormProps {
  readonly text: string
  /** What a screen reader says in its place, where several have the same text. */
  readonly label?: string
  readonly isOpen: boolean
  readonly onClick: () => void
}

/** A button that opens a form. */
export function OpensForm({ text, label, isOpen, onClick }: OpensFormProps) {
  return (
    <Button
      mode="ghost"
      padding={4}
      text={text}
      {...(label !== undefined && { 'aria-label': label })}
      aria-expanded={isOpen}
      onClick={onClick}
    />
  )
}
