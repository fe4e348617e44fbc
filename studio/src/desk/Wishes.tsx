import { Stack } from '@sanity/ui'
import { Nothing, Section } from '../operations/parts.tsx'
import { counted, moment } from '../operations/words.ts'
import type { WishesAnswer } from '../product.ts'
import { AskedForm } from './AskedForm.tsx'
import { List, Listed, OpensForm } from './Listed.tsx'
import { Said } from './Said.tsx'
import { useOpenForm } from './use-open-form.ts'

type Wished = WishesAnswer[number]

interface WishesProps {
  readonly wishes: WishesAnswer
  /** Reads the figures again. */
  readonly lookAgain: () => void
}

/** Which organisations recipients miss on the list, the newest first. */
export function Wishes({ wishes: read, lookAgain }: WishesProps) {
  const { open, said, changes, close, done, choose } = useOpenForm<Wished, Wished['word']>({
    read,
    lookAgain,
  })
  return (
    <Section title="Wishes" says={INTRODUCTION}>
      <Stack gap={4}>
        {read.length === 0 && <Nothing>Nobody misses an organisation.</Nothing>}
        <List>
          {read.map(wished => {
            const isNew = wished.unseen > 0 && !changes.includes(wished.word)
            const isOpen = open?.word === wished.word
            const [name = wished.word] = wished.names
            return (
              <Listed
                key={wished.word}
                name={wished.names.join(' / ')}
                state={stateWords(wished, isNew)}
                buttons={
                  isNew && (
                    <OpensForm
                      text="Looked at"
                      label={`Mark as looked at: ${name}`}
                      isOpen={isOpen}
                      onClick={() => choose(wished)}
                    />
                  )
                }
              >
                {isOpen && (
                  <AskedForm<never, unknown>
                    says="It stays in this list, and is new again when somebody wishes for it anew."
                    confirm="I have looked at it"
                    fields={[]}
                    question={() => ({
                      path: 'wish-seen',
                      body: { word: wished.word, until: wished.newest_at },
                    })}
                    done={() => done(`Looked at: ${name}.`, wished.word)}
                    close={close}
                  />
                )}
              </Listed>
            )
          })}
        </List>
      </Stack>
      <Said says={said} />
    </Section>
  )
}

const INTRODUCTION =
  'Organisations that recipients miss on the list, in their own words, as text. Spellings of one name stand together. A wish is kept for a year.'

/** How many wish for it, since when nobody has, and by what it is found. */
function stateWords({ cards, unseen, newest_at, hints }: Wished, isNew: boolean): string {
  return [
    counted(cards, 'card'),
    isNew ? `${unseen} new` : 'looked at',
    `last ${moment(newest_at)}`,
    ...hints,
  ].join(', ')
}
