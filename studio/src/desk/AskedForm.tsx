import { Button, Card, Flex, Select, Stack, Text, TextInput } from '@sanity/ui'
import { type FormEvent, useContext, useEffect, useId, useRef, useState } from 'react'
import type { Question } from './ask.ts'
import { LookAgain } from './look-again.ts'
import { TroubleNotice } from './Notice.tsx'
import { useSite } from './use-site.ts'
import { useWayBack } from './use-way-back.ts'

/** Something that has to be typed. */
export interface Field<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly type?: 'date' | 'email'
  /** One of these: the value, and what it is called. */
  readonly choices?: readonly (readonly [string, string])[]
  readonly inputMode?: 'decimal'
  /** What stands in it at the beginning. */
  readonly initial?: string
  readonly isOptional?: true
}

export type Typed<Name extends string> = Readonly<Record<Name, string>>

/** What is said before the last press, and the button of that press. */
export interface LastWord {
  readonly says: string
  readonly confirm: string
}

interface AskedFormProps<Name extends string, Answer> {
  /** What it does, before it is done. */
  readonly says: string
  readonly fields: readonly Field<Name>[]
  readonly confirm: string
  /** Asks once more before it is sent; undefined where what was typed cannot be. */
  readonly lastWord?: (typed: Typed<Name>) => LastWord | undefined
  readonly question: (typed: Typed<Name>) => Question
  /** A treasurer confirms it with a passkey, after the last press. */
  readonly needsPasskey?: boolean
  readonly done: (answer: Answer) => void
  readonly close: () => void
}

/** Asks for what an act needs, once more where nobody can undo it, and sends it once for each press. */
export function AskedForm<Name extends string, Answer>({
  says,
  fields,
  confirm,
  lastWord,
  question,
  needsPasskey = false,
  done,
  close,
}: AskedFormProps<Name, Answer>) {
  const [typed, setTyped] = useState(
    () => Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])) as Typed<Name>,
  )
  const [isLast, setLast] = useState(false)
  // One press, however often it is sent: what was typed anew is another one.
  const [attemptKey, setAttemptKey] = useState(() => crypto.randomUUID())
  const acting = useSite<Answer>()
  const goBack = useWayBack(close)
  const lookAgain = useContext(LookAgain)
  const form = useRef<HTMLFormElement>(null)
  const buttons = useRef<HTMLDivElement>(null)
  const id = useId()
  const answer = acting.asked?.kind === 'answer' ? acting.asked.answer : undefined
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is done
  useEffect(() => {
    if (answer !== undefined) done(answer)
  }, [answer])
  // What was said by then may be below the edge of a phone.
  useEffect(() => {
    if (isLast || acting.asked) buttons.current?.scrollIntoView({ block: 'nearest' })
  }, [isLast, acting.asked])
  const last = lastWord?.(typed)
  const isReady =
    fields.every(({ name, isOptional }) => isOptional || typed[name].trim() !== '') &&
    (lastWord === undefined || last !== undefined)
  const send = () => acting.put({ ...question(typed), attemptKey, ...(needsPasskey && { needsPasskey }) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || acting.isWaiting) return
    if (lastWord !== undefined && !isLast) setLast(true)
    else send()
  }
  const write = (name: Name, text: string) => {
    setTyped({ ...typed, [name]: text })
    setLast(false)
    setAttemptKey(crypto.randomUUID())
    acting.forget()
  }
  return (
    <Card border padding={4} radius={3}>
      <form ref={form} onSubmit={submit}>
        <Stack gap={4}>
          <Text size={1}>
            {needsPasskey ? `${says} On a site with a login, your passkey confirms it.` : says}
          </Text>
          {fields.map(({ name, label, type, inputMode, choices }) => (
            <Stack key={name} gap={3}>
              <Text as="label" size={1} weight="semibold" htmlFor={`${id}${name}`}>
                {label}
              </Text>
              {choices ? (
                <Select
                  id={`${id}${name}`}
                  padding={4}
                  value={typed[name]}
                  onChange={event => write(name, event.currentTarget.value)}
                >
                  {choices.map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </Select>
              ) : (
                <TextInput
                  id={`${id}${name}`}
                  padding={4}
                  autoComplete="off"
                  spellCheck={false}
                  {...(type && { type })}
                  {...(inputMode && { inputMode })}
                  value={typed[name]}
                  onChange={event => write(name, event.currentTarget.value)}
                />
              )}
            </Stack>
          ))}
          {isLast && last && (
            <Text size={1} weight="semibold" role="status">
              {last.says}
            </Text>
          )}
          {acting.asked && acting.asked.kind !== 'answer' && (
            <TroubleNotice
              trouble={acting.asked}
              retry={acting.asked.kind === 'no-answer' ? send : undefined}
              lookAgain={() => {
                // What opened the form may be gone once it is read again.
                form.current?.closest('section')?.querySelector('h2')?.focus({ preventScroll: true })
                close()
                lookAgain()
              }}
            />
          )}
          <Flex ref={buttons} gap={2} wrap="wrap">
            <Button
              type="submit"
              mode="ghost"
              tone={isLast ? 'critical' : 'default'}
              padding={4}
              disabled={!isReady || acting.isWaiting}
              text={acting.isWaiting ? 'Asking the site…' : isLast && last ? last.confirm : confirm}
            />
            <Button type="button" mode="ghost" padding={4} text="Cancel" onClick={goBack} />
          </Flex>
        </Stack>
      </form>
    </Card>
  )
}
