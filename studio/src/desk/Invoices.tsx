import { Stack } from '@sanity/ui'
import { Nothing, Section } from '../operations/parts.tsx'
import { amount, counted, moment } from '../operations/words.ts'
import {
  type InvoiceActAnswer,
  type InvoiceActRequest,
  type InvoicesAnswer,
  isInvoiceAwaited,
  type PeopleAnswer,
  readAmount,
} from '../product.ts'
import { AskedForm } from './AskedForm.tsx'
import { List, Listed, OpensForm } from './Listed.tsx'
import { Said } from './Said.tsx'
import { useOpenForm } from './use-open-form.ts'

type Invoice = InvoicesAnswer[number]
type Due = Invoice['due'][number]

/** What is open: the form of an act about one invoice. */
type Open =
  | { readonly form: 'paid' | 'cancel'; readonly invoice: Invoice }
  | { readonly form: 'refunded'; readonly invoice: Invoice; readonly due: Due }

interface InvoicesProps {
  readonly invoices: InvoicesAnswer
  readonly people: PeopleAnswer
  /** Reads the figures again. */
  readonly lookAgain: () => void
}

/** Invoices for many cards: what the bank did, as a treasurer says it. */
export function Invoices({ invoices: read, people, lookAgain }: InvoicesProps) {
  const { open, said, changes, close, done, choose } = useOpenForm<Open, string>({ read, lookAgain })
  const mayChange = people.role === 'treasurer' && people.you !== null
  return (
    <Section title="Invoices" says={INTRODUCTION}>
      <Stack gap={4}>
        {read.length === 0 && <Nothing>Nobody has asked for an invoice yet.</Nothing>}
        <List>
          {read.map(invoice => {
            const { order, number, standing, due } = invoice
            const mayPay = isInvoiceAwaited(standing)
            const isOpen = open?.invoice.order === order
            return (
              <Listed
                key={order}
                name={`${number} · ${invoice.name}`}
                state={stateWords(invoice)}
                buttons={
                  mayChange &&
                  !changes.includes(order) && (
                    <>
                      {mayPay && (
                        <OpensForm
                          text="Paid"
                          label={`Say that ${number} is paid`}
                          isOpen={isOpen && open.form === 'paid'}
                          onClick={() => choose({ form: 'paid', invoice })}
                        />
                      )}
                      {mayPay && (
                        <OpensForm
                          text="Cancel"
                          label={`Cancel ${number}`}
                          isOpen={isOpen && open.form === 'cancel'}
                          onClick={() => choose({ form: 'cancel', invoice })}
                        />
                      )}
                      {due.map(each => (
                        <OpensForm
                          key={each.withdrawal}
                          text={`Transferred back: ${amount(each.amount, invoice.currency)}`}
                          label={`Say that ${amount(each.amount, invoice.currency)} of ${number} was transferred back`}
                          isOpen={
                            isOpen && open.form === 'refunded' && open.due.withdrawal === each.withdrawal
                          }
                          onClick={() => choose({ form: 'refunded', invoice, due: each })}
                        />
                      ))}
                    </>
                  )
                }
              >
                {isOpen && <InvoiceForm open={open} done={says => done(says, order)} close={close} />}
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
  'Buyers of many cards may pay by bank transfer. Nobody but you sees the bank: cards are made once a treasurer says, with a passkey, that the whole amount has arrived.'

interface FormProps {
  readonly open: Open
  readonly done: (says: string) => void
  readonly close: () => void
}

function InvoiceForm({ open, done, close }: FormProps) {
  const { order, number, currency, cards } = open.invoice
  const mailbox = open.invoice.masked_address ?? 'the buyer'
  if (open.form === 'cancel')
    return (
      <AskedForm<never, InvoiceActAnswer>
        says={`Nobody can pay ${number} any more, and no cards are made of it.`}
        confirm="Go on"
        needsPasskey
        fields={[]}
        lastWord={() => ({ says: 'It cannot be opened again.', confirm: `Cancel ${number}` })}
        question={() => asked({ act: 'cancel', order })}
        done={() => done(`Done: ${number} is cancelled.`)}
        close={close}
      />
    )
  if (open.form === 'refunded') {
    const back = amount(open.due.amount, currency)
    const { withdrawal } = open.due
    return (
      <AskedForm<never, InvoiceActAnswer>
        says={`The buyer has withdrawn. Transfer ${back} to the account that paid ${number}, then say so here.`}
        confirm="Go on"
        needsPasskey
        fields={[]}
        lastWord={() => ({
          says: 'The cards are given back then, and the books say so.',
          confirm: `${back} was transferred back`,
        })}
        question={() => asked({ act: 'refunded', order, withdrawal })}
        done={() => done(`Done: ${back} of ${number} went back.`)}
        close={close}
      />
    )
  }
  return (
    <AskedForm<'amount' | 'day', InvoiceActAnswer>
      says={`Look at your bank account: ${amount(open.invoice.amount, currency)} with the text ${number}.`}
      confirm="Go on"
      needsPasskey
      fields={[
        { name: 'amount', label: `What has arrived, in ${currency}`, inputMode: 'decimal' },
        { name: 'day', label: 'The day at the bank', type: 'date' },
      ]}
      lastWord={({ amount: typed }) =>
        readAmount(typed) === undefined
          ? undefined
          : {
              says: `${counted(cards, 'card')} are made, and mailed to ${mailbox}. Nobody can take that back.`,
              confirm: `${amount(readAmount(typed) ?? 0, currency)} has arrived`,
            }
      }
      question={({ amount: typed, day }) =>
        asked({ act: 'paid', order, amount: readAmount(typed) ?? 0, paid_on: day })
      }
      done={() => done(`Done: ${number} is paid, and its cards are made.`)}
      close={close}
    />
  )
}

/** How an invoice stands: `€195.00, 3 cards, to be paid by 27 Dec 2026, 10:00`. */
function stateWords(invoice: Invoice): string {
  const { standing, amount: minor, currency, cards, masked_address, due_at, paid_on, due } = invoice
  const stands = {
    open: `to be paid by ${moment(due_at)}`,
    lapsed: 'lapsed: it can be paid all the same',
    paid: `paid on ${paid_on}`,
    cancelled: 'cancelled',
    withdrawn: 'the buyer has withdrawn: if the money arrives, say so, and it is to go back',
  }[standing]
  const back = due.map(each => `${amount(each.amount, currency)} is to be transferred back`)
  const mailbox = masked_address && `mailed to ${masked_address}`
  return [amount(minor, currency), counted(cards, 'card'), mailbox, stands, ...back]
    .filter(Boolean)
    .join(', ')
}

const asked = (body: InvoiceActRequest) => ({ path: 'invoice-act', body })
