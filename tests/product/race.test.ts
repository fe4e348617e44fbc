import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { startChild } from '#tests/support/child.ts'
import { count } from '#tests/support/counts.ts'
import { type BoughtCard, buyCard, buyCards, CREDIT, cardApi, NGOS } from '#tests/support/product/buy.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import type { RaceWork } from '#tests/support/product/race-client.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

const CLIENTS = 8
const CARDS = count({ usual: 50, long: 500 })
/** How often one card alone is raced for: each time all rivals meet at the same instant. */
const ROUNDS = count({ usual: 2, long: 50 })

describe.each(['sqlite', 'postgres', 'pooled'] as const)('two servers on one database (%s)', engine => {
  let environment: TestEnvironment
  let servers: readonly Product[]
  beforeAll(async () => {
    environment = await openTestEnvironment(engine)
    // At the same instant: neither may stand in the other's way, not even on a new folder.
    servers = await Promise.all([environment.env, environment.secondEnv()].map(env => startProduct({ env })))
  })
  afterAll(async () => {
    await Promise.all(servers?.map(server => server.kill()) ?? [])
    await environment?.close()
  })

  it('give one card to one of sixteen requests that eight processes send', async () => {
    for (let round = 0; round < ROUNDS; round++)
      await raceFor([await buyCard(servers[0]!)], { isPatient: false })
  })

  it(`give each of ${CARDS} cards once when eight processes want them all`, async () => {
    // Thousands of requests at one instant: who waits five seconds for the database is told to come again, and does.
    await raceFor(await buyCards(servers[0]!, CARDS), { isPatient: true })
    expect(
      await environment.database.db.read(db =>
        db.selectFrom('cards').select('id').where('status', '=', 'active').execute(),
      ),
    ).toEqual([])
  })

  /** Every client asks both servers for every card, and no two requests for a card are alike. */
  async function raceFor(
    cards: readonly BoughtCard[],
    { isPatient }: Pick<RaceWork, 'isPatient'>,
  ): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, () => startChild('./product/race-client.ts'))
    const answers = cards.map(() => [] as string[])
    try {
      for (const [client, child] of clients.entries()) {
        const requests = cards.flatMap(card =>
          servers.map((server, instance) => ({
            url: server.url + cardApi(card.privateKey),
            body: JSON.stringify(wish(client * servers.length + instance)),
          })),
        )
        child.send(JSON.stringify({ requests, isPatient } satisfies RaceWork))
      }
      for (const child of clients) expect(await child.nextLine()).toBe('ready')
      for (const child of clients) child.send('go')
      await Promise.all(
        clients.map(async child => {
          for (let line = await child.nextLine(); line !== 'done'; line = await child.nextLine()) {
            const [index, ...answer] = (line ?? '').split(' ')
            answers[Math.floor(Number(index) / servers.length)]?.push(answer.join(' '))
          }
        }),
      )
    } finally {
      await Promise.all(clients.map(child => child.kill()))
    }
    for (const perCard of answers) expectOneWinner(perCard)
    await expectEachGivenOnce(cards)
  }

  /** Wish n leaves n points to be shared out, so that every body is another one. */
  const wish = (n: number) => ({
    selected_ngos: [{ ngoSelected: NGOS[n % NGOS.length], creditSelected: CREDIT / 100 - n }],
  })

  function expectOneWinner(answers: readonly string[]): void {
    expect(answers).toHaveLength(CLIENTS * servers.length)
    const losers = answers.filter(answer => !answer.startsWith('200 '))
    for (const answer of losers) expect(answer).toMatch(/^409 .*"code":"card-consumed"/)
    expect(losers).toHaveLength(answers.length - 1)
  }

  async function expectEachGivenOnce(cards: readonly BoughtCard[]): Promise<void> {
    const { db } = environment.database
    const rows = await db.read(reader =>
      reader
        .selectFrom('allocations')
        .select(['card_id', 'amount'])
        .where(
          'card_id',
          'in',
          cards.map(({ cardId }) => cardId),
        )
        .execute(),
    )
    for (const { cardId } of cards) {
      const amounts = rows.filter(row => row.card_id === cardId).map(({ amount }) => amount)
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(CREDIT)
    }
    expect(await checkLedger(db)).toEqual([])
  }
})
