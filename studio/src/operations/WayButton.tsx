import { Button } from '@sanity/ui'
import { createContext, useContext, useState } from 'react'
import { useWorkspace } from 'sanity'
import { useRouter } from 'sanity/router'
import type { Way } from './ways.ts'

/** Opens the timeline of a gift in this tool, by its id. */
export const OpenGift = createContext<(words: string) => void>(() => {})

/** The heading of a part of this tool, where a press leads to. */
export const headingOf = (part: string): string => `part-${part}`

/**
 * A button that leads to where something is done.
 * @param about what tells it from the others of its words
 */
export function WayButton({ way, about }: { way: Way; about: string }) {
  const openGift = useContext(OpenGift)
  const router = useRouter()
  const { basePath } = useWorkspace()
  const [copied, setCopied] = useState<string>()
  const lead = () => {
    switch (way.to) {
      case 'gift':
        return openGift(way.words)
      case 'part':
        return document.getElementById(headingOf(way.part))?.focus()
      case 'tool':
        return router.navigateUrl({ path: `${basePath.replace(/\/$/, '')}/${way.path}` })
      case 'terminal':
        void copy(way.command).then(setCopied)
    }
  }
  const text = way.to === 'terminal' ? (copied ?? 'Copy the command') : way.text
  return <Button mode="ghost" padding={4} text={text} aria-label={`${text}: ${about}`} onClick={lead} />
}

/** Copies a command. @returns what to say of it: the command itself where the browser copies nothing */
async function copy(command: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(command)
    return 'Copied, for the terminal'
  } catch {
    return command
  }
}
