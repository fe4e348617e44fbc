import { randomBytes } from 'node:crypto'
import type { Language } from '#domain/languages.ts'
import { isProblem } from '#domain/problems.ts'
import { getT } from '#i18n/index.ts'
import type { App } from '#server/http/app.ts'
import { readForm } from '#server/http/pipeline/read-form.ts'
import type { PressedMany, Renewed, UnusedOfMany } from '#server/modules/payments/many/interface.ts'
import { linkOf, MANY_FILES, manyCalendar, manyFile } from './many-files.ts'

/** More links than these stand in the files alone: each weighs, and nobody copies hundreds by hand. */
const MOST_ON_PAGE = 20

/** A card on the page, as its buyer knows it. */
interface Labelled {
  readonly label: string
}

/** What the page of an order of many shows. */
export interface ManyPageView {
  /** Missing once the page has moved: what was here opens nothing any more. */
  readonly many?: PressedMany
  readonly moved?: true
  /** The press that is shown links; its files are asked for by it. */
  readonly press?: string
  /** Names the next press. */
  readonly nextPress: string
  readonly links?: readonly (Labelled & { readonly url: string })[]
  /** The cards of which a link can be made anew. */
  readonly unused?: readonly (Labelled & { readonly number: number })[]
  /** The card that was chosen has no link to make anew. */
  readonly fault?: true
}

interface Visit {
  readonly request: Request
  readonly response: { status?: number }
  readonly locals: { readonly app: App; readonly language: Language }
}

/**
 * What a visit to the page of an order of many is answered: the page, or a file of what it has been shown.
 * @throws Problem payment-not-found for every wrong key
 */
export async function readPress(
  { request, response, locals: { app, language } }: Visit,
  { orderId, key }: { readonly orderId: string; readonly key: string },
  isPressed: boolean,
): Promise<ManyPageView | Response> {
  const { manyOrders } = app
  const page = (many: PressedMany, press?: string) => pageOf(app, many, { press, nextPress, language })
  const nextPress = randomBytes(20).toString('hex')
  if (!isPressed) return page(await manyOrders.open(orderId, key))
  const form = await readForm(request, app.settings.siteUrl)
  const act = form.get('act') ?? ''
  const press = form.get('press') ?? ''
  if (act === 'calendar') return manyCalendar(app, await manyOrders.open(orderId, key), language)
  if (act === 'move') {
    await manyOrders.move(orderId, key)
    return { moved: true, nextPress }
  }
  const file = MANY_FILES.find(each => each === act)
  if (file) {
    const many = await manyOrders.shownTo(orderId, key, press)
    return (await manyFile(app, file, many, language)) ?? page(many)
  }
  try {
    return page(await pressed(app, act, { orderId, key, press, card: form.get('card') }), press)
  } catch (error) {
    if (!isProblem(error) || error.code !== 'invalid-fields') throw error
    response.status = error.status
    return { ...page(await manyOrders.open(orderId, key)), fault: true }
  }
}

interface Pressed {
  readonly orderId: string
  readonly key: string
  readonly press: string
  readonly card: string | null
}

function pressed(
  { manyOrders }: Pick<App, 'manyOrders'>,
  act: string,
  { orderId, key, press, card }: Pressed,
): Promise<PressedMany> {
  if (act === 'show') return manyOrders.show(orderId, key, press)
  const which = whichOf(act, card)
  return which === undefined
    ? manyOrders.shownTo(orderId, key, press)
    : manyOrders.renew(orderId, key, press, which)
}

function whichOf(act: string, card: string | null): Renewed | undefined {
  if (act === 'renew-all') return 'all'
  return act === 'renew-one' ? Number(card) : undefined
}

interface Around {
  /** Absent where nothing is shown to it. */
  readonly press: string | undefined
  readonly nextPress: string
  readonly language: Language
}

function pageOf(
  app: Pick<App, 'settings'>,
  many: PressedMany,
  { press, nextPress, language }: Around,
): ManyPageView {
  const t = getT(language)
  const labelOf = ({ number, name }: UnusedOfMany): string =>
    name === null ? t('many-page-card', { number }) : t('many-page-card-named', { number, name })
  const { shown = [] } = many
  const onPage = shown.length > MOST_ON_PAGE ? [] : shown
  return {
    many,
    nextPress,
    ...(press !== undefined && shown.length > 0 && { press }),
    links: onPage.map(card => ({ label: labelOf(card), url: linkOf(app, many, card.privateKey) })),
    unused: many.unused.map(card => ({ label: labelOf(card), number: card.number })),
  }
}
