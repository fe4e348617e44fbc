import { SearchIcon } from '@sanity/icons/Search'
import { Button, Card, Flex, Stack, Text, TextInput } from '@sanity/ui'
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { Section } from '../operations/parts.tsx'
import { amount, moment, number } from '../operations/words.ts'
import { type CardFileAnswer, FIND_HASH, type FoundAnswer } from '../product.ts'
import { Notice, TroubleNotice } from './Notice.tsx'
import { Timeline } from './Timeline.tsx'
import { useSite } from './use-site.ts'
import { emptyWords, hitsAfter, hitWords } from './words.ts'

/** What a press elsewhere in this tool asks for: another object for each press. */
export interface Led {
  readonly words: string
}

/**
 * Finds a gift by whatever is known of it, and shows its timeline. By keyboard alone as well: Ctrl K, arrows, Enter.
 * @param led by what a press elsewhere leads here
 * @param lookAgain reads the figures again
 */
export function Desk({ led, lookAgain }: { led: Led | undefined; lookAgain: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [words, setWords] = useState(askedFor)
  const finding = useSite<FoundAnswer>()
  const opening = useSite<CardFileAnswer>()
  const [opened, setOpened] = useState<string>()
  const [said, setSaid] = useState('')
  const id = useId()
  useFocusByKey(input)

  const find = useCallback(
    (asked: string) => {
      setOpened(undefined)
      setSaid('')
      opening.forget()
      if (asked.trim() !== '') finding.put({ path: 'find', body: { words: asked } })
    },
    [finding.put, opening.forget],
  )
  const open = useCallback(
    (card: string) => {
      setOpened(card)
      opening.put({ path: 'card', body: { id: card } })
    },
    [opening.put],
  )
  const readAgain = (says: string) => {
    setSaid(says)
    if (opened !== undefined) open(opened)
    lookAgain()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    find(words)
  }
  const found = finding.asked?.kind === 'answer' ? finding.asked.answer : undefined
  const read = opening.asked?.kind === 'answer' ? opening.asked.answer : undefined
  // A mail or a press led here: the timeline is opened without another one.
  const isLed = useRef(words !== '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the desk opens
  useEffect(() => {
    if (isLed.current) find(words)
  }, [])
  useEffect(() => {
    if (led === undefined) return
    isLed.current = true
    setWords(led.words)
    find(led.words)
    input.current?.focus()
  }, [led, find])
  useEffect(() => {
    if (!isLed.current || found === undefined) return
    isLed.current = false
    const cards = new Set(found.hits.flatMap(({ card }) => card ?? []))
    for (const card of cards.size === 1 ? cards : []) open(card)
  }, [found, open])
  const buttons = () => [...(list.current?.querySelectorAll('button') ?? [])]
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') input.current?.focus()
    if (step === undefined) return
    const all = buttons()
    const next = all.indexOf(document.activeElement as HTMLButtonElement) + step
    event.preventDefault()
    if (next < 0) input.current?.focus()
    else all[next]?.focus()
  }
  return (
    <Section title="Find a gift" says="Ctrl K or ⌘ K brings you here from anywhere in this tool.">
      <form onSubmit={submit} onKeyDown={walk}>
        <Stack gap={4}>
          <Stack gap={3}>
            <Text as="label" size={1} htmlFor={id} weight="semibold">
              E-mail address, card, order, an id of the payment provider, an amount with its day, an
              organisation
            </Text>
            <Flex gap={2} wrap="wrap">
              <div style={{ flex: '1 1 240px' }}>
                <TextInput
                  id={id}
                  ref={input}
                  icon={SearchIcon}
                  padding={4}
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={320}
                  placeholder="ana@example.org · ch_… · 65 EUR 2026-11-21"
                  value={words}
                  onChange={event => setWords(event.currentTarget.value)}
                />
              </div>
              <Button type="submit" mode="ghost" padding={4} text="Find" disabled={words.trim() === ''} />
            </Flex>
          </Stack>
          <Text size={1} muted role="status">
            {finding.isWaiting
              ? 'Looking…'
              : found && found.hits.length > 0
                ? `${found.hits.length === 1 ? '1 result' : `${number(found.hits.length)} results`}${found.is_more ? ', the newest of more' : ''}. The arrow keys walk through them, Enter opens.`
                : ''}
          </Text>
          {!finding.isWaiting && finding.asked && finding.asked.kind !== 'answer' && (
            <TroubleNotice trouble={finding.asked} retry={() => find(words)} />
          )}
          {!finding.isWaiting && found?.hits.length === 0 && <Notice role="status" {...emptyWords(found)} />}
          {!finding.isWaiting && found && found.hits.length > 0 && (
            <Stack as="ul" ref={list} gap={2} margin={0} padding={0} style={{ listStyle: 'none' }}>
              {hitsAfter(found.hits, read).map(hit => (
                <li key={`${hit.kind} ${hit.id}`}>
                  {/* A button of the Studio's own keeps its words on one line, and cuts them on a phone. */}
                  <Card
                    as="button"
                    type="button"
                    border
                    padding={4}
                    radius={2}
                    style={{ width: '100%', textAlign: 'left' }}
                    aria-disabled={hit.card === null}
                    tone={hit.card !== null && hit.card === opened ? 'primary' : 'default'}
                    onClick={() => hit.card !== null && open(hit.card)}
                  >
                    <Text as="span" size={1} weight="medium" style={{ overflowWrap: 'anywhere' }}>
                      {describe(hit)}
                    </Text>
                  </Card>
                </li>
              ))}
            </Stack>
          )}
        </Stack>
      </form>
      <Text size={1} weight="semibold" role="status">
        {said}
      </Text>
      {opened !== undefined && (
        <Timeline
          opening={opening}
          retry={() => open(opened)}
          lookAgain={() => readAgain('')}
          done={readAgain}
          close={() => {
            setOpened(undefined)
            opening.forget()
            input.current?.focus()
          }}
        />
      )}
    </Section>
  )
}

/** What the address that led here asks for: an order or a card. */
function askedFor(): string {
  const { hash } = globalThis.location
  if (!hash.startsWith(FIND_HASH)) return ''
  try {
    return decodeURIComponent(hash.slice(FIND_HASH.length))
  } catch {
    return ''
  }
}

function describe(hit: FoundAnswer['hits'][number]): string {
  return [
    hitWords(hit),
    hit.amount !== null && hit.currency !== null && amount(hit.amount, hit.currency),
    hit.state,
    hit.at !== null && moment(hit.at),
    hit.kind === 'organisation' ? undefined : hit.id,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Ctrl K and ⌘ K. The Studio's own search has the same keys, and gets them everywhere but here. */
function useFocusByKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      input.current?.focus()
      input.current?.select()
    }
    globalThis.addEventListener('keydown', onKey, { capture: true })
    return () => globalThis.removeEventListener('keydown', onKey, { capture: true })
  }, [input])
}
