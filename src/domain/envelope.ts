import { hexOf, type Motif, type Theme } from './themes.ts'

/**
 * The envelope that a gift comes in: one drawing for screens, paper, pictures and icons, in units of its own. Each part
 * is one SVG path, which pdfkit reads as well as a browser does.
 */
export const ENVELOPE = {
  width: 280,
  height: 180,
  /** A rounded rectangle. */
  body: 'M10 0H270A10 10 0 0 1 280 10V170A10 10 0 0 1 270 180H10A10 10 0 0 1 0 170V10A10 10 0 0 1 10 0Z',
  /** Two lines from the lower corners to the flap; only ever stroked. */
  folds: 'M3 177L107 79M277 177L173 79',
  flap: 'M3 3A10 10 0 0 1 10 0H270A10 10 0 0 1 277 3L149 98Q140 104 131 98Z',
  /** The width of a hairline when the envelope is drawn at this size. */
  hairline: 1,
  /** The share of ink in a hairline. */
  hairlineShare: 0.3,
} as const

/** A disc as a path. */
const disc = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`

/** A leaf that lies between two points, as wide as an eighth of its length to either side. */
const leaf = (x: number, y: number, dx: number, dy: number): string =>
  `M${x} ${y}q${dx / 2 - dy / 3} ${dy / 2 + dx / 3} ${dx} ${dy}q${-dx / 2 + dy / 3} ${-dy / 2 - dx / 3} ${-dx} ${-dy}Z`

/** A band along the flap's two edges, `inset` from them and `width` across. */
function band(inset: number, width: number): string {
  const [far, tip] = [inset * 1.65, inset * 1.24]
  const [farther, tipper] = [(inset + width) * 1.65, (inset + width) * 1.24]
  return `M${3 + far} 0L140 ${102 - tip}L${277 - far} 0H${277 - farther}L140 ${102 - tipper}L${3 + farther} 0Z`
}

/** Rows across the flap, from its upper edge down: `[top, height]` each. */
const rows = (lines: readonly (readonly [number, number])[]): string =>
  lines
    .map(([top, height]) => {
      const [left, right] = [top * 1.37 + 4, (top + height) * 1.37 + 4]
      return `M${left} ${top}H${280 - left}L${280 - right} ${top + height}H${right}Z`
    })
    .join('')

/** A thin line from the flap's upper edge most of the way to its tip. */
function ray(x: number): string {
  const foot = 140 + (x - 140) * 0.2
  return `M${x - 2} 11H${x + 2}L${foot + 1} 78H${foot - 1}Z`
}

/**
 * What is left out of the flap, so that envelopes differ at a glance though each has only its theme's two colours:
 * nothing, terraces, a border, snow, rays, a sprig.
 */
export const FLAP_MOTIFS: Readonly<Record<Motif, string>> = {
  plain: '',
  terraces: rows([
    [16, 3],
    [31, 3],
    [46, 3],
    [61, 3],
    [76, 3],
  ]),
  border: band(14, 5),
  snow: [
    disc(140, 80, 3),
    ...[116, 140, 164].map(x => disc(x, 60, 3)),
    ...[92, 116, 140, 164, 188].map(x => disc(x, 40, 3)),
    ...[68, 92, 116, 140, 164, 188, 212].map(x => disc(x, 20, 3)),
  ].join(''),
  rays: [-3, -2, -1, 0, 1, 2, 3].map(step => ray(140 + step * 29)).join(''),
  sprig: [
    ...[15, 37, 57].flatMap((y, index) => [
      leaf(143, y + 12, 40 - index * 8, -12),
      leaf(137, y + 12, -40 + index * 8, -12),
    ]),
    leaf(140, 68, 0, 22),
  ].join(''),
}

/** The envelope's colours as SVG writes them: of a theme, or whatever a page gives. */
export interface EnvelopeColours {
  readonly paper: string
  readonly ink: string
}

/** A theme's two colours as `#rrggbb`. */
export function themeColours({ background, text }: Pick<Theme, 'background' | 'text'>): EnvelopeColours {
  return { paper: hexOf(background), ink: hexOf(text) }
}

/** Which theme's flap an envelope has. */
type WithMotif = Pick<Theme, 'motif'>

/** The colours of the page: its own ink and its paper. */
const OF_THE_PAGE: EnvelopeColours = { paper: 'var(--paper)', ink: 'currentColor' }

/**
 * The closed envelope as what stands between the tags of an SVG whose view box is `ENVELOPE_BOX`.
 * @param colours without them those of the page
 */
export const envelopeShapes = (theme: WithMotif, colours: EnvelopeColours = OF_THE_PAGE): string =>
  bodyShapes(colours) + flapShapes(theme, colours)

/**
 * The same with what is seen behind the flap, and the flap in a group `flap`, for a style sheet to turn it open about its
 * upper edge: `scale: 1 -1`, since the edge lies at 0.
 */
export const openingEnvelopeShapes = (theme: WithMotif, colours: EnvelopeColours = OF_THE_PAGE): string =>
  `${bodyShapes(colours)}<path fill="${colours.ink}" fill-opacity="${LINING_SHARE}" d="${ENVELOPE.flap}"/><g class="flap">${flapShapes(theme, colours)}</g>`

/** The opened envelope, with a sheet that looks out of it, in a box as high as its flap stands. */
export const openedEnvelopeShapes = (theme: WithMotif, colours: EnvelopeColours = OF_THE_PAGE): string =>
  `${bodyShapes(colours)}<g transform="scale(1 -1)">${flapShapes(theme, colours)}</g>${sheetShape(colours)}`

/** From above the envelope's edge down to where its two sides meet; an amount stands around y 0. */
function sheetShape({ paper, ink }: EnvelopeColours): string {
  const { hairline, hairlineShare } = ENVELOPE
  return `<path fill="${paper}" stroke="${ink}" stroke-opacity="${hairlineShare}" stroke-width="${hairline}" d="M50 -34H230V38L149 98Q140 104 131 98L50 38Z"/>`
}

/** Room for the flap above the envelope. */
export const OPENED_ENVELOPE_BOX = `-1 -104 ${ENVELOPE.width + 2} ${ENVELOPE.height + 105}`

/** The share of ink in the lining of an open envelope. */
const LINING_SHARE = 0.14

function bodyShapes({ paper, ink }: EnvelopeColours): string {
  const { body, folds, hairline, hairlineShare } = ENVELOPE
  return `<g fill="${paper}" stroke="${ink}" stroke-opacity="${hairlineShare}" stroke-width="${hairline}"><path d="${body}"/><path fill="none" d="${folds}"/></g>`
}

function flapShapes(theme: WithMotif, { paper, ink }: EnvelopeColours): string {
  const motif = FLAP_MOTIFS[theme.motif]
  return `<path fill="${ink}" d="${ENVELOPE.flap}"/>${motif && `<path fill="${paper}" d="${motif}"/>`}`
}

/** Room for the hairline around the envelope. */
export const ENVELOPE_BOX = `-1 -1 ${ENVELOPE.width + 2} ${ENVELOPE.height + 2}`
