import { DownloadIcon } from '@sanity/icons/Download'
import { Button, Flex, Grid } from '@sanity/ui'
import { OPERATOR_PATHS, type SummaryAnswer } from '../product.ts'
import { ledgerState, owedByCurrency, standing } from './figures.ts'
import { barsOf, Figures, Nothing, Section, Tables, Tile } from './parts.tsx'
import { age, amount, counted, moment, number } from './words.ts'

const LEDGER_WORDS = {
  'in order': 'In order',
  broken: 'Not in order',
  unknown: 'Not checked lately',
  'not yet': 'Not checked yet',
} as const

/** The numbers that an operator looks for first. */
export function AtAGlance({
  summary,
  reviewsDue,
}: {
  summary: SummaryAnswer
  reviewsDue: number | undefined
}) {
  const { cards, money, mails, review } = summary
  const orders = money.reduce((sum, each) => sum + each.orders, 0)
  const check = summary.jobs.find(({ name }) => name === 'ledger-check')
  return (
    <Section title="At a glance">
      <Grid
        as="ul"
        gridTemplateColumns={[1, 2, 3, 4]}
        gap={3}
        margin={0}
        padding={0}
        style={{ listStyle: 'none' }}
      >
        <Tile name="Sold" value={number(orders)} note="orders paid" />
        <Tile
          name="Unused cards"
          value={number(cards.active)}
          note={`${number(cards.consumed)} used, ${number(cards.left)} left to the draw, ${number(cards.cancelling)} being cancelled, ${number(cards.revoked)} revoked`}
        />
        <Tile
          name="Expiring within 30 days"
          value={number(summary.expiring_soon)}
          note="then given to an organisation that is drawn"
        />
        <Tile
          name="Disputed"
          value={number(summary.disputed)}
          note="cards, to be answered in the payment account"
        />
        <Tile
          name="Failed mails"
          value={number(mails.failing + mails.given_up)}
          note={`${number(mails.failing)} tried again, ${number(mails.given_up)} given up, ${number(mails.waiting)} waiting`}
        />
        <Tile
          name="Reviews due"
          value={reviewsDue === undefined ? (review.is_due ? 'The list' : 'None known') : number(reviewsDue)}
          note={`list reviewed on ${review.reviewed_at}`}
        />
        <Tile
          name="The books"
          value={LEDGER_WORDS[ledgerState(summary)]}
          note={check?.finished_at ? `checked ${moment(check.finished_at)}` : 'checked once a day'}
        />
      </Grid>
    </Section>
  )
}

/** Where the money is, by currency. */
export function MoneyByCurrency({ money }: Pick<SummaryAnswer, 'money'>) {
  return (
    <Section
      title="Money"
      says="Everything since the beginning, as the books have it."
      nothing={money.length === 0 && 'Nothing has been sold or given yet.'}
    >
      <Tables>
        {money.map(each => {
          const parts = standing(each)
          const barOf = barsOf(parts.map(part => part.amount))
          const sold = `${counted(each.orders, 'order')}, ${amount(each.paid, each.currency)} paid by buyers`
          const further = [
            each.campaign > 0 && `${amount(each.campaign, each.currency)} given by campaigns`,
            each.refunded > 0 && `${amount(each.refunded, each.currency)} given back to buyers`,
            each.losses > 0 && `${amount(each.losses, each.currency)} lost`,
          ].filter(Boolean)
          return (
            <Figures
              key={each.currency}
              caption={`${each.currency}: ${[sold, ...further].join(', ')}`}
              columns={[{ title: 'Where it is now' }, { title: 'Amount', right: true }]}
              rows={parts.map(part => ({
                key: part.what,
                cells: [part.what, amount(part.amount, each.currency)],
                bar: barOf(part.amount),
              }))}
            />
          )
        })}
      </Tables>
    </Section>
  )
}

/** What organisations wait for, currency by currency, and the file of what they got. */
export function OwedToOrganisations({ owed, at }: Pick<SummaryAnswer, 'owed' | 'at'>) {
  return (
    <Section title="Owed to organisations" says="Given by recipients and in no payout yet.">
      {owed.length === 0 && <Nothing>Nothing is owed: every gift is in a payout.</Nothing>}
      <Tables>
        {owedByCurrency(owed).map(({ currency, sum, rows }) => {
          const barOf = barsOf(rows.map(each => each.amount))
          return (
            <Figures
              key={currency}
              caption={`${currency}: ${amount(sum, currency)} to ${counted(rows.length, 'organisation')}`}
              columns={[
                { title: 'Organisation' },
                { title: 'Amount', right: true },
                { title: 'Gifts', right: true },
                { title: 'Oldest', right: true },
              ]}
              rows={rows.map(each => ({
                key: each.ngo_id,
                note: each.name === each.ngo_id ? 'no longer in the content' : each.ngo_id,
                cells: [
                  each.name,
                  amount(each.amount, currency),
                  number(each.allocations),
                  age(each.oldest_at, at),
                ],
                bar: barOf(each.amount),
              }))}
            />
          )
        })}
      </Tables>
      <Flex>
        <Button
          as="a"
          href={`${OPERATOR_PATHS}payouts.csv`}
          download="payouts.csv"
          icon={DownloadIcon}
          mode="ghost"
          padding={4}
          text="Download all payouts (CSV)"
        />
      </Flex>
    </Section>
  )
}
