import { Button, Card, Flex, Stack, Text } from '@sanity/ui'
import type { ReactNode } from 'react'
import { Figures, Nothing, Section, Tables } from '../operations/parts.tsx'
import { amount, counted, moment } from '../operations/words.ts'
import type { BankFilesAnswer, PayoutActRequest, PayoutsAnswer, SummaryAnswer } from '../product.ts'
import { AskedForm } from './AskedForm.tsx'
import {
  changesWhatIsOwed,
  nextRunOf,
  type PayoutChange,
  payoutsAfter,
  runsOf,
  stateWords,
  sumsOf,
} from './payouts.ts'
import { Said } from './Said.tsx'
import { Statement } from './Statement.tsx'
import { useOpenForm } from './use-open-form.ts'

type Payout = PayoutsAnswer['payouts'][number]

/** What is open: a form, named after what it does and to what. */
type Open =
  | { readonly form: 'run' | 'statement' }
  | { readonly form: 'files'; readonly run: string }
  | { readonly form: 'paid' | 'unpaid' | 'cancel'; readonly payout: Payout }

interface PayoutsProps {
  readonly payouts: PayoutsAnswer
  readonly owed: SummaryAnswer['owed']
  /** When it was read what is owed, epoch ms UTC: a run pays what was given before. */
  readonly at: number
  /** Reads the figures again. */
  readonly lookAgain: () => void
}

/** The month's payouts: make them, give the bank its files, note what it paid. */
export function Payouts({ payouts: answer, owed, at, lookAgain }: PayoutsProps) {
  const { open, said, changes, close, done, choose } = useOpenForm<Open, PayoutChange>({
    read: answer,
    lookAgain,
  })
  return (
    <Section
      title="Payouts"
      part="payouts"
      says="Once a month: make them, give the bank its files, then note what the bank paid. Each organisation is written to when its payout is noted as paid."
    >
      <Stack gap={5}>
        <NextRun
          owed={owed}
          answer={answer}
          at={at}
          isOld={changesWhatIsOwed(changes)}
          open={open}
          choose={choose}
          done={done}
          close={close}
        />
        {runsOf(payoutsAfter(answer.payouts, changes)).map(({ run, payouts }) => (
          <Run
            key={run ?? ''}
            run={run}
            payouts={payouts}
            open={open}
            choose={choose}
            done={done}
            close={close}
          />
        ))}
        {answer.payouts.length === 0 && <Nothing>No payout was made in the last hundred days.</Nothing>}
      </Stack>
      <Said says={said} />
    </Section>
  )
}

interface Opening {
  readonly open: Open | undefined
  readonly choose: (open: Open) => void
  readonly done: (says: string, ...changed: readonly PayoutChange[]) => void
  readonly close: () => void
}

function NextRun({
  owed,
  answer,
  at,
  isOld,
  open,
  choose,
  done,
  close,
}: { owed: SummaryAnswer['owed']; answer: PayoutsAnswer; at: number; isOld: boolean } & Opening) {
  const next = nextRunOf(owed, answer.with_account)
  const sums = sumWords(next.sums)
  return (
    <Stack gap={4}>
      <Text size={1}>
        {isOld
          ? 'What is owed now is read again.'
          : next.payouts === 0
            ? 'Nothing is owed to an organisation with a confirmed account.'
            : `${sums} are owed, in ${counted(next.payouts, 'payout')}.`}
      </Text>
      {!isOld && next.leftOut.length > 0 && (
        <Text size={1}>
          {`Left out, since no account of theirs is confirmed: ${next.leftOut.join(', ')}. “npm run ops -- account propose” notes one.`}
        </Text>
      )}
      <Flex gap={2} wrap="wrap">
        {!isOld && next.payouts > 0 && (
          <Act text="Make the payouts" isOpen={open?.form === 'run'} press={() => choose({ form: 'run' })} />
        )}
        <Act
          text="Import the bank’s statement"
          isOpen={open?.form === 'statement'}
          press={() => choose({ form: 'statement' })}
        />
      </Flex>
      {open?.form === 'run' && (
        <AskedForm
          says="One payout for each organisation and currency. What is given from now on goes into the next run."
          confirm="Go on"
          fields={[{ name: 'run', label: 'The name of the run', initial: answer.next_run }]}
          needsPasskey
          lastWord={() => ({
            says: `${sums} go into ${counted(next.payouts, 'payout')}. No money moves yet: the bank does that, with its files.`,
            confirm: `Make ${counted(next.payouts, 'payout')}`,
          })}
          question={({ run }) => asked({ act: 'run', run: run.trim(), before: at })}
          done={() => done('Done: the payouts are made. Give the bank its files.', { run: answer.next_run })}
          close={close}
        />
      )}
      {open?.form === 'statement' && <Statement done={done} close={close} />}
    </Stack>
  )
}

function Run({
  run,
  payouts,
  open,
  choose,
  done,
  close,
}: { run: string | null; payouts: readonly Payout[] } & Opening) {
  const waiting = payouts.filter(({ status }) => status === 'open')
  const others = payouts.filter(({ status }) => status !== 'open')
  const byHand = payouts.filter(({ is_by_hand: isByHand }) => isByHand)
  const title = run === null ? 'Made one by one' : `Run ${run}`
  return (
    <Stack gap={4}>
      {waiting.length > 0 && (
        <Stack gap={3}>
          <Text size={1} weight="semibold" as="h3">
            {`${title}: ${sumWords(sumsOf(waiting))} that the bank has not paid`}
          </Text>
          {run !== null && (
            <Flex>
              <Act
                text={`Files for the bank, of run ${run}`}
                isOpen={open?.form === 'files' && open.run === run}
                press={() => choose({ form: 'files', run })}
              />
            </Flex>
          )}
          {open?.form === 'files' && open.run === run && <Files run={run} done={done} close={close} />}
          <Stack as="ul" gap={2} margin={0} padding={0} style={{ listStyle: 'none' }}>
            {waiting.map(payout => (
              <Waiting
                key={payout.id}
                payout={payout}
                open={open}
                choose={choose}
                done={done}
                close={close}
              />
            ))}
          </Stack>
        </Stack>
      )}
      {byHand.length > 0 && (
        <Stack gap={3}>
          <Text size={1} weight="semibold" as="h3">
            {`${title}: noted as paid by hand alone`}
          </Text>
          <Stack as="ul" gap={2} margin={0} padding={0} style={{ listStyle: 'none' }}>
            {byHand.map(payout => (
              <ByHand key={payout.id} payout={payout} open={open} choose={choose} done={done} close={close} />
            ))}
          </Stack>
        </Stack>
      )}
      {others.length > 0 && (
        <Tables>
          <Figures
            caption={waiting.length > 0 ? `${title}: the others` : title}
            columns={[{ title: 'Organisation' }, { title: 'Amount', right: true }, { title: 'State' }]}
            rows={others.map(each => ({
              key: each.id,
              note: each.reference ?? moment(each.made_at),
              cells: [each.name, amount(each.amount, each.currency), stateWords(each)],
            }))}
          />
        </Tables>
      )}
    </Stack>
  )
}

function Waiting({ payout, open, choose, done, close }: { payout: Payout } & Opening) {
  const { id, name, currency } = payout
  const sum = amount(payout.amount, currency)
  const isOpen = (form: 'paid' | 'cancel') => open?.form === form && open.payout.id === id
  return (
    <Card as="li" border padding={3} radius={2}>
      <Stack gap={3}>
        <Flex gap={3} wrap="wrap" align="center" justify="space-between">
          <Stack gap={2}>
            <Text size={1} weight="semibold">{`${sum} to ${name}`}</Text>
            <Text size={1} muted>{`${id}, made ${moment(payout.made_at)}`}</Text>
          </Stack>
          <Flex gap={2} wrap="wrap">
            <Act
              text="The bank has paid it"
              label={`The bank has paid ${sum} to ${name}`}
              isOpen={isOpen('paid')}
              press={() => choose({ form: 'paid', payout })}
            />
            <Act
              text="Cancel it"
              label={`Cancel the payout of ${sum} to ${name}`}
              isOpen={isOpen('cancel')}
              press={() => choose({ form: 'cancel', payout })}
            />
          </Flex>
        </Flex>
        {isOpen('paid') && (
          <AskedForm
            says="Where the statement is imported, this is done for every payout that stands on it."
            confirm={`Note ${sum} as paid`}
            fields={[{ name: 'reference', label: 'The bank’s reference' }]}
            needsPasskey
            question={({ reference }) => asked({ act: 'paid', payout: id, reference })}
            done={() => done(`Done: ${sum} to ${name} are noted as paid.`, { payout: id, status: 'paid' })}
            close={close}
          />
        )}
        {isOpen('cancel') && (
          <AskedForm
            says="What it pays is owed again, and goes into the next run. If its transfer is at the bank already, stop it there first."
            confirm="Go on"
            fields={[]}
            needsPasskey
            lastWord={() => ({
              says: `${sum} are owed to ${name} again. If the bank pays it all the same, it is paid twice.`,
              confirm: `Cancel ${sum}`,
            })}
            question={() => asked({ act: 'cancel', payout: id })}
            done={() => done(`Done: ${sum} are owed to ${name} again.`, { payout: id, status: 'cancelled' })}
            close={close}
          />
        )}
      </Stack>
    </Card>
  )
}

/** No statement of the bank has shown it, and its organisation has not confirmed it: the note can be taken back. */
function ByHand({ payout, open, choose, done, close }: { payout: Payout } & Opening) {
  const { id, name, currency, reference } = payout
  const sum = amount(payout.amount, currency)
  const isOpen = open?.form === 'unpaid' && open.payout.id === id
  return (
    <Card as="li" border padding={3} radius={2}>
      <Stack gap={3}>
        <Flex gap={3} wrap="wrap" align="center" justify="space-between">
          <Text size={1}>{`${sum} to ${name}, ${reference ?? id}`}</Text>
          <Act
            text="The bank has not paid it"
            label={`The bank has not paid it: ${sum} to ${name}`}
            isOpen={isOpen}
            press={() => choose({ form: 'unpaid', payout })}
          />
        </Flex>
        {isOpen && (
          <AskedForm
            says="It waits for the bank again, and the link of the mail to the organisation is dead. Look at the statement first: no transfer of it may be there."
            confirm="Go on"
            fields={[]}
            needsPasskey
            lastWord={() => ({
              says: `${sum} to ${name} are not paid. If the bank has paid it all the same, it would be paid twice.`,
              confirm: `Note ${sum} as not paid`,
            })}
            question={() => asked({ act: 'unpaid', payout: id })}
            done={() =>
              done(`Done: ${sum} to ${name} wait for the bank again.`, { payout: id, status: 'open' })
            }
            close={close}
          />
        )}
      </Stack>
    </Card>
  )
}

function Files({ run, done, close }: { run: string; done: (says: string) => void; close: () => void }) {
  return (
    <AskedForm<'iban' | 'payer' | 'bic' | 'on', BankFilesAnswer>
      says="The bank’s own file for transfers in euros, and a table of the others to type at the bank. They hold whole account numbers: delete them afterwards."
      confirm="Download"
      fields={[
        { name: 'iban', label: 'The IBAN that pays' },
        { name: 'payer', label: 'Whose account it is, as the bank has it' },
        { name: 'bic', label: 'Its BIC (only where the bank asks for it)', isOptional: true },
        {
          name: 'on',
          label: 'The day on which the bank is to pay (today where it is empty)',
          type: 'date',
          isOptional: true,
        },
      ]}
      needsPasskey
      question={typed => ({ path: 'payout-files', body: { run, ...typed } })}
      done={({ file, others }) => {
        if (file) download(file, 'application/xml')
        if (others) download(others, 'text/csv')
        done(filesWords({ file, others }))
      }}
      close={close}
    />
  )
}

function filesWords({ file, others }: BankFilesAnswer): string {
  const some = [
    file &&
      `${file.name} with ${counted(file.transfers, 'transfer')}, ${amount(file.sum ?? 0, 'EUR')}: compare both with what the bank shows before you sign`,
    others && `${others.name} with ${counted(others.transfers, 'transfer')} to type at the bank`,
  ]
  return `Downloaded: ${some.filter(Boolean).join('; ')}.`
}

/** Hands a file to the browser, which keeps it where downloads go. */
function download({ name, text }: { name: string; text: string }, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The browser reads it after the press.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function Act({
  text,
  label,
  isOpen,
  press,
}: {
  text: string
  label?: string
  isOpen: boolean
  press: () => void
}): ReactNode {
  return (
    <Button
      mode="ghost"
      padding={4}
      text={text}
      {...(label && { 'aria-label': label })}
      aria-expanded={isOpen}
      onClick={press}
    />
  )
}

const asked = (body: PayoutActRequest) => ({ path: 'payout-act', body })

const sumWords = (sums: readonly { currency: string; amount: number }[]): string =>
  sums.map(each => amount(each.amount, each.currency)).join(' and ')
