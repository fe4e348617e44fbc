import { Button, Card, Flex, Stack, Text } from '@sanity/ui'
import { useEffect, useId, useRef, useState } from 'react'
import { Figures } from '../operations/parts.tsx'
import { amount, counted } from '../operations/words.ts'
import type { StatementAnswer } from '../product.ts'
import { AskedForm } from './AskedForm.tsx'
import { Notice, TroubleNotice } from './Notice.tsx'
import type { PayoutChange } from './payouts.ts'
import { useSite } from './use-site.ts'
import { useWayBack } from './use-way-back.ts'

/** The bank's statement: first what it says of payouts, then, after one more press, noted. */
export function Statement({
  done,
  close,
}: {
  done: (says: string, ...changed: readonly PayoutChange[]) => void
  close: () => void
}) {
  const [text, setText] = useState<string>()
  const [isUtf8, setUtf8] = useState(true)
  const looking = useSite<StatementAnswer>()
  const id = useId()
  const goBack = useWayBack(close)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const answer = looking.asked?.kind === 'answer' ? looking.asked.answer : undefined
  const look = (file: string) =>
    looking.put({
      path: 'statement',
      body: { text: file, apply: false },
      attemptKey: crypto.randomUUID(),
    })
  const choose = async (file: File | undefined) => {
    looking.forget()
    setText(undefined)
    if (file === undefined) return
    const read = textOf(await file.arrayBuffer())
    setUtf8(read !== undefined)
    setText(read)
    if (read !== undefined) look(read)
  }
  const paid = answer?.paid.length ?? 0
  return (
    <Card border padding={4} radius={3}>
      <Stack gap={4}>
        <Text size={1}>
          The bank’s statement as camt.053 (XML), or a table (CSV) whose first line names the columns
          “reference”, “end to end id”, “amount” and “currency”. Nothing is noted before you have seen what it
          says.
        </Text>
        <Stack gap={3}>
          <Text as="label" size={1} weight="semibold" htmlFor={id}>
            The bank’s statement
          </Text>
          <input
            id={id}
            ref={input}
            type="file"
            accept=".xml,.csv,text/csv,application/xml,text/xml"
            onChange={event => void choose(event.currentTarget.files?.[0])}
          />
        </Stack>
        <Text size={1} muted role="status">
          {looking.isWaiting ? 'Reading…' : ''}
        </Text>
        {!isUtf8 && (
          <Notice
            role="alert"
            says="The file is not in UTF-8."
            remedy="Save it so, or ask the bank for it."
          />
        )}
        {looking.asked && looking.asked.kind !== 'answer' && (
          <TroubleNotice trouble={looking.asked} retry={text === undefined ? undefined : () => look(text)} />
        )}
        {answer?.unreadable != null && (
          <Notice role="alert" says="The file was not read." remedy={answer.unreadable} />
        )}
        {answer && answer.unreadable === null && <Found answer={answer} />}
        {answer && text !== undefined && paid > 0 ? (
          <AskedForm<never, StatementAnswer>
            says={`${counted(paid, 'payout')} are noted as paid, and the organisations are written to.`}
            confirm={`Note ${counted(paid, 'payout')} as paid`}
            fields={[]}
            needsPasskey
            question={() => ({ path: 'statement', body: { text, apply: true } })}
            done={noted =>
              done(
                `Done: ${counted(noted.paid.length, 'payout')} noted as paid${noted.amiss.length > 0 ? `, ${number(noted.amiss.length)} amiss` : ''}.`,
                ...noted.paid.map(({ payout, reference }) => ({
                  payout,
                  status: 'paid' as const,
                  reference,
                })),
              )
            }
            close={goBack}
          />
        ) : (
          <Flex>
            <Button type="button" mode="ghost" padding={4} text="Cancel" onClick={goBack} />
          </Flex>
        )}
      </Stack>
    </Card>
  )
}

const number = (value: number): string => value.toLocaleString('en')

/** What the statement says of payouts. */
function Found({ answer: { paid, noted, amiss, others } }: { answer: StatementAnswer }) {
  return (
    <Stack gap={4}>
      <Text size={1} weight="semibold" role="status">
        {`${counted(paid.length, 'payout')} to note as paid, ${number(noted.length)} noted before, ${number(amiss.length)} amiss, ${counted(others, 'other entry', 'other entries')}.`}
      </Text>
      {paid.length > 0 && (
        <Figures
          caption="To note as paid"
          columns={[{ title: 'Organisation' }, { title: 'Amount', right: true }]}
          rows={paid.map(each => ({
            key: each.payout,
            note: each.reference,
            cells: [each.ngo_id, amount(each.amount, each.currency)],
          }))}
        />
      )}
      {amiss.map(({ subject, reference, why }) => (
        <Notice
          key={`${subject} ${reference}`}
          role="status"
          says={`${subject} (${reference})`}
          remedy={why}
        />
      ))}
    </Stack>
  )
}

/** The text of a file; undefined where it is not UTF-8. */
function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
