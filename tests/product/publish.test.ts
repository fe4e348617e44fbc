import { describe, expect, it } from 'vitest'
import { perLanguage } from '#domain/languages.ts'
import { call } from '#tests/support/product/call.ts'
import { apartFromWaiting, contentClientOf, shownAfter } from '#tests/support/product/content.ts'
import { openProduct } from '#tests/support/product/open-product.ts'

const LIST = 'ngoList-2026'
const PAGE = '/es/intro/ngo-list'

const { product } = await openProduct()

const events = () => product.output().match(/"event":"pages-published"/g)?.length ?? 0
const contentState = async () => (await call(`${product.url}/api/operator/content`)).json()

describe('what the operator publishes', () => {
  it('is on the buyers’ pages in every language within two seconds, with a hundred organisations', async () => {
    const client = contentClientOf(product)
    const ngos = Array.from({ length: 100 }, (_, n) => ngo(`ngo-many-${n}`, `Organización ${n}`))
    const filling = ngos.reduce((transaction, each) => transaction.create(each), client.transaction())
    await filling.commit()
    await client
      .patch(LIST)
      .set({ ngos: ngos.map(({ _id }) => ({ _type: 'reference', _key: _id, _ref: _id })) })
      .commit()
    await shownAfter(product.url + PAGE, 'Organización 99')

    await client.patch('ngo-many-50').set({ 'title.es': 'La renombrada', 'title.fr': 'La renommée' }).commit()
    const latest = await apartFromWaiting(product, async () =>
      Math.max(
        ...(await Promise.all([
          shownAfter(product.url + PAGE, 'La renombrada'),
          shownAfter(`${product.url}/fr/intro/ngo-list`, 'La renommée'),
        ])),
      ),
    )
    expect(latest).toBeLessThan(2_000)
  })

  it('is up to date two renderings after a burst of fifty edits, as the last one says', async () => {
    const client = contentClientOf(product)
    const edit = (n: number) =>
      client
        .patch('ngo-many-0')
        .set({ 'title.es': `Edición ${n}` })
        .commit()
    await Promise.all(Array.from({ length: 49 }, (_, n) => edit(n + 1)))
    await edit(50)
    const atTheLast = events()
    await shownAfter(product.url + PAGE, 'Edición 50')
    // How many there are before it is the machine's affair. Then one may be under way, and one more shows the rest.
    expect(events() - atTheLast).toBeLessThanOrEqual(2)
  })

  it('comes from nobody’s draft', async () => {
    const client = contentClientOf(product)
    const before = events()
    await client.createOrReplace({ ...ngo('drafts.ngo-many-1', 'Un borrador') })
    await client.patch('ngo-many-2').set({ 'title.es': 'Después del borrador' }).commit()
    await shownAfter(product.url + PAGE, 'Después del borrador')
    expect((await call(product.url + PAGE)).text).not.toContain('Un borrador')
    expect(events() - before).toBe(1)
  })

  it('keeps the pages before it when they could not show it, and the operator is told what to put right', async () => {
    const client = contentClientOf(product)
    await client.patch('ngo-many-3').unset(['title.fr']).set({ 'title.es': 'A medias' }).commit()
    await expect.poll(async () => (await contentState()).state, { timeout: 30_000 }).toBe('broken')
    expect(await contentState()).toMatchObject({ says: [expect.stringContaining('ngoList.ngos.3.title.fr')] })
    expect(product.output()).toContain('"event":"content-broken"')
    expect((await call(product.url + PAGE)).text).toContain('Organización 3<')
    expect((await call(`${product.url}/health/ready`)).status).toBe(200)

    await client.patch('ngo-many-3').set({ 'title.fr': 'Entière', 'title.es': 'Entera' }).commit()
    await shownAfter(product.url + PAGE, 'Entera')
    expect(await contentState()).toMatchObject({ state: 'current', says: [] })
  })
})

function ngo(_id: string, title: string) {
  const inEveryLanguage = (text: string) => perLanguage(() => text)
  return {
    _id,
    _type: 'ngo',
    title: inEveryLanguage(title),
    description: inEveryLanguage('Lo que hace, en una línea'),
    links: inEveryLanguage('https://ngo.example/donate'),
    consent: { state: 'given' },
  }
}
