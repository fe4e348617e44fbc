import { Button, Flex, Stack } from '@sanity/ui'
import { useState } from 'react'
import { AskedForm } from './AskedForm.tsx'

/**
 * Marks a mail that was given up as dealt with, after asking once more.
 * @param about what tells it from the others
 * @param done it was marked
 */
export function DealtWith({
  mail,
  about,
  done,
}: {
  mail: string
  about: string
  done: (says: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap={3}>
      <Flex>
        <Button
          mode="ghost"
          padding={4}
          text="Mark as dealt with"
          aria-label={`Mark as dealt with: ${about}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </Flex>
      {isOpen && (
        <AskedForm
          says="Nothing asks for this mail any more. It is not sent again by that, and the log keeps who said so."
          confirm="I have dealt with it"
          fields={[]}
          question={() => ({ path: 'dealt-with', body: { mail } })}
          done={() => done('Marked as dealt with.')}
          close={() => setOpen(false)}
        />
      )}
    </Stack>
  )
}
