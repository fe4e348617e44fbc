import { between, type Chance } from './chance.ts'
import { below, blur, HEIGHT, leaf, mix, n, ridge, sheet, sun, WIDTH } from './drawing.ts'

/** What a motif is painted with: the sky or wall from top to bottom, its light, and what stands before it. */
export interface Paint {
  readonly sky: readonly string[]
  readonly light: string
  /** The nearest and darkest colour. */
  readonly near: string
}

/** Draws one quiet picture; what it gives goes between the tags of an SVG. */
export type Motif = (random: Chance, paint: Paint) => string

const last = (colours: readonly string[]): string => colours.at(-1)!

const hills: Motif = (random, { sky, light, near }) => {
  const layers = 7
  const ground = Array.from({ length: layers }, (_, index) => {
    const share = index / (layers - 1)
    const line = ridge(random, 560 + share * 500, 95 - share * 25, between(random, 1.2, 2.6))
    return below(line, mix(last(sky), near, 0.12 + share * 0.88))
  })
  return sheet(sky) + sun(between(random, 500, 1300), between(random, 330, 470), 62, light) + ground.join('')
}

const sea: Motif = (random, { sky, light, near }) => {
  const horizon = between(random, 560, 700)
  const x = between(random, 600, 1200)
  const glitter = Array.from({ length: 230 }, () => {
    const depth = random() ** 1.6
    const y = horizon + 6 + depth * (HEIGHT - horizon)
    const spread = 40 + depth * 330
    const wide = between(random, 8, 26) * (0.6 + depth * 3.2)
    const at = x + (random() + random() + random() - 1.5) * spread
    return `<ellipse cx="${n(at)}" cy="${n(y)}" rx="${n(wide)}" ry="${n(0.9 + depth * 3.4)}" fill="${light}" opacity="${between(random, 0.2, 0.8).toFixed(2)}"/>`
  })
  return `${sheet(sky)}${sun(x, horizon - between(random, 60, 260), 58, light, { reach: 8 })}
${sheet([mix(last(sky), near, 0.35), mix(last(sky), near, 0.7), near], { top: horizon, height: HEIGHT - horizon, id: 'water' })}${glitter.join('')}`
}

/** A branch with leaves in pairs, as a group. */
function branch(
  random: Chance,
  from: readonly [number, number],
  bend: readonly [number, number],
  to: readonly [number, number],
  colours: { leaf: string; back: string; wood: string },
  size: number,
): string {
  const at = (share: number): readonly [number, number, number] => {
    const point = (axis: 0 | 1): number =>
      (1 - share) ** 2 * from[axis] + 2 * share * (1 - share) * bend[axis] + share ** 2 * to[axis]
    const slope = (axis: 0 | 1): number =>
      2 * (1 - share) * (bend[axis] - from[axis]) + 2 * share * (to[axis] - bend[axis])
    return [point(0), point(1), (Math.atan2(slope(1), slope(0)) * 180) / Math.PI]
  }
  const leaves = Array.from({ length: 17 }, (_, index) => {
    const [x, y, angle] = at(0.06 + (index / 17) * 0.93)
    const length = size * between(random, 0.8, 1.15) * (1 - (index / 17) * 0.35)
    return [-1, 1].map(side => {
      const turned = angle + side * between(random, 28, 62)
      const fill = random() < 0.36 ? colours.back : mix(colours.leaf, colours.back, random() * 0.3)
      return leaf(x, y, turned, length, length * 0.24, fill)
    })
  }).flat()
  const olives = Array.from({ length: 5 }, () => {
    const [x, y, angle] = at(between(random, 0.15, 0.8))
    const side = random() < 0.5 ? -1 : 1
    const turned = ((angle + side * 75) * Math.PI) / 180
    const [cx, cy] = [x + Math.cos(turned) * size * 0.34, y + Math.sin(turned) * size * 0.34 + 14]
    return `<path d="M${n(x)} ${n(y)}Q${n(x)} ${n(cy)} ${n(cx)} ${n(cy)}" stroke="${colours.wood}" stroke-width="3" fill="none"/><ellipse cx="${n(cx)}" cy="${n(cy)}" rx="${n(size * 0.1)}" ry="${n(size * 0.13)}" fill="${mix(colours.leaf, colours.wood, 0.35)}"/>`
  })
  return `<path d="M${from.map(n).join(' ')}Q${bend.map(n).join(' ')} ${to.map(n).join(' ')}" stroke="${colours.wood}" stroke-width="${n(size * 0.055)}" stroke-linecap="round" fill="none"/>${olives.join('')}${leaves.join('')}`
}

const olive: Motif = (random, { sky, light, near }) => {
  const colours = { leaf: near, back: light, wood: mix(near, '#3a2c20', 0.55) }
  const soft = {
    leaf: mix(last(sky), near, 0.28),
    back: mix(last(sky), light, 0.3),
    wood: mix(last(sky), near, 0.3),
  }
  const lift = between(random, -90, 90)
  return `<defs>${blur('far', 14)}</defs>${sheet(sky)}
<g filter="url(#far)">${branch(random, [1900, 200 + lift], [1400, 520], [760, 300 - lift], soft, 210)}</g>
${branch(random, [-40, 980 + lift], [620, 900 - lift], [1320, 420 + lift], colours, 205)}`
}

const dunes: Motif = (random, { sky, light, near }) => {
  const layers = 4
  const sand = Array.from({ length: layers }, (_, index) => {
    const share = index / (layers - 1)
    const top = 560 + share * 330
    const crest = between(random, 420, 1380)
    const lit = mix(mix(last(sky), near, 0.12), light, 0.12 + share * 0.26)
    const dark = mix(last(sky), near, 0.25 + share * 0.6)
    const left = top + between(random, 120, 200)
    const right = top + between(random, 90, 190)
    return `<path d="M0 ${n(left)}C${n(crest * 0.5)} ${n(left + 30)} ${n(crest * 0.75)} ${n(top)} ${n(crest)} ${n(top)}C${n(crest + 200)} ${n(top + 6)} ${n(crest + 300)} ${n(right)} ${WIDTH} ${n(right)}V${HEIGHT}H0Z" fill="${lit}"/>
<path d="M${n(crest)} ${n(top)}C${n(crest + 200)} ${n(top + 6)} ${n(crest + 300)} ${n(right)} ${WIDTH} ${n(right)}V${HEIGHT}H${n(crest - 260)}C${n(crest - 190)} ${n(top + 210)} ${n(crest + 40)} ${n(top + 130)} ${n(crest)} ${n(top)}Z" fill="${dark}"/>`
  })
  return (
    sheet(sky) +
    sun(between(random, 340, 1460), between(random, 210, 330), 46, light, { reach: 7 }) +
    sand.join('')
  )
}

const lightOnWall: Motif = (random, { sky, light, near }) => {
  const lean = between(random, 120, 260)
  const pane = (column: number, row: number): string => {
    const x = 520 + column * 330 + row * -40
    const y = 250 + row * 330 + column * 34
    return `<path d="M${n(x + lean)} ${n(y)}l300 34l${n(-lean * 0.42)} 300l-300 -34Z"/>`
  }
  const panes = [0, 1].flatMap(column => [0, 1].map(row => pane(column, row)))
  const shade = branch(
    random,
    [1750, 60],
    [1300, 420],
    [640, 640],
    { leaf: mix(last(sky), near, 0.5), back: mix(last(sky), near, 0.42), wood: mix(last(sky), near, 0.5) },
    190,
  )
  return `<defs>${blur('soft', 7)}${blur('softer', 11)}<clipPath id="panes">${panes.join('')}</clipPath></defs>${sheet(sky)}
<g fill="${light}" filter="url(#soft)" opacity=".92">${panes.join('')}</g>
<g clip-path="url(#panes)"><g filter="url(#softer)" opacity=".55">${shade}</g></g>
<path d="M0 1090H${WIDTH}V${HEIGHT}H0Z" fill="${mix(last(sky), near, 0.35)}"/>`
}

const field: Motif = (random, { sky, light, near }) => {
  const stems = Array.from({ length: 120 }, (_, index) => {
    const depth = index / 120
    const x = between(random, -60, WIDTH + 60)
    const tall = between(random, 260, 430) * (0.6 + depth * 0.75)
    const bow = between(random, 30, 130)
    const base = HEIGHT + 40
    const colour = mix(mix(last(sky), light, 0.25), near, 0.25 + depth * 0.75)
    const [tipX, tipY] = [x + bow, base - tall]
    const grains = Array.from({ length: 9 }, (_, each) => {
      const along = each * tall * 0.032
      return leaf(
        tipX - along * 0.22,
        tipY + along,
        -70 + (each % 2 === 0 ? -24 : 34),
        tall * 0.062,
        tall * 0.02,
        colour,
      )
    })
    return `<path d="M${n(x)} ${base}Q${n(x)} ${n(base - tall * 0.6)} ${n(tipX)} ${n(tipY)}" stroke="${colour}" stroke-width="${n(1.6 + depth * 2.6)}" fill="none"/>${grains.join('')}`
  })
  return (
    sheet(sky) +
    sun(between(random, 450, 1350), between(random, 520, 700), 74, light, { reach: 8 }) +
    below(ridge(random, 900, 26, 1.4), mix(last(sky), near, 0.22)) +
    stems.join('')
  )
}

const birds: Motif = (random, { sky, light, near }) => {
  const flock = Array.from({ length: 26 }, () => {
    const far = random()
    const [x, y] = [300 + random() * 1200 + far * 60, 180 + random() * 420 + Math.abs(far - 0.5) * 60]
    const wing = 16 + far * 34
    const lift = wing * between(random, 0.25, 0.6)
    return `<path d="M${n(x - wing)} ${n(y - lift)}Q${n(x - wing * 0.35)} ${n(y - lift * 0.9)} ${n(x)} ${n(y)}Q${n(x + wing * 0.35)} ${n(y - lift * 0.9)} ${n(x + wing)} ${n(y - lift * 0.8)}" stroke="${mix(last(sky), near, 0.45 + far * 0.55)}" stroke-width="${n(2 + far * 3)}" stroke-linecap="round" fill="none"/>`
  })
  return `${sheet(sky)}${sun(between(random, 400, 1400), 760, 68, light, { reach: 7 })}
${below(ridge(random, 960, 18, 1.1), mix(last(sky), near, 0.35))}${below(ridge(random, 1070, 22, 1.6), mix(last(sky), near, 0.75))}${flock.join('')}`
}

const lanterns: Motif = (random, { sky, light, near }) => {
  const horizon = 470
  const lights = Array.from({ length: 22 }, (_, index) => {
    const depth = (index / 22) ** 1.4
    const x = between(random, 80, WIDTH - 80)
    const y = horizon + 30 + depth * 610
    const size = 7 + depth * 30
    const trail = Array.from(
      { length: 5 },
      (_, each) =>
        `<ellipse cx="${n(x + between(random, -4, 4))}" cy="${n(y + size * (1.3 + each * 1.0))}" rx="${n(size * (0.9 - each * 0.13))}" ry="${n(size * 0.12 + 1)}" fill="${light}" opacity="${(0.5 - each * 0.09).toFixed(2)}"/>`,
    )
    return `${sun(x, y, size * 0.8, light, { reach: 4.5 })}${trail.join('')}`
  })
  return `${sheet(sky, { height: horizon + 2 })}${below(ridge(random, horizon - 40, 44, 1.8), mix(last(sky), near, 0.55))}
${sheet([mix(last(sky), near, 0.45), near], { top: horizon, height: HEIGHT - horizon, id: 'water' })}${lights.join('')}`
}

const tree: Motif = (random, { sky, light, near }) => {
  const x = between(random, 620, 1180)
  const foot = 930
  const crown = Array.from({ length: 130 }, (_, index) => {
    const angle = random() * 2 * Math.PI
    const far = Math.sqrt(random())
    const [cx, cy] = [x + Math.cos(angle) * far * 285, 545 + Math.sin(angle) * far * 200]
    const toLight = Math.max(0, Math.min(1, 0.5 - (cy - 545) / 420))
    return `<circle cx="${n(cx)}" cy="${n(cy)}" r="${n(between(random, 30, 58))}" fill="${mix(near, light, toLight * 0.3 * (index / 130))}"/>`
  })
  const boughs = [-150, -70, 20, 110, 170].map(
    reach =>
      `<path d="M${n(x)} 800Q${n(x + reach * 0.2)} 690 ${n(x + reach)} 590" stroke="${near}" stroke-width="17" fill="none" stroke-linecap="round"/>`,
  )
  return `<defs>${blur('shade', 16)}</defs>${sheet(sky)}${sun(x > 900 ? 420 : 1380, 400, 60, light, { reach: 8 })}
${below(ridge(random, 880, 34, 0.9), mix(last(sky), near, 0.3))}${below(ridge(random, foot + 10, 20, 0.8), mix(last(sky), near, 0.52))}
<ellipse cx="${n(x + (x > 900 ? 190 : -190))}" cy="${foot + 55}" rx="340" ry="30" fill="${near}" opacity=".5" filter="url(#shade)"/>
<path d="M${n(x - 34)} ${foot + 40}C${n(x - 12)} 860 ${n(x - 16)} 780 ${n(x - 14)} 700L${n(x + 16)} 700C${n(x + 18)} 790 ${n(x + 16)} 870 ${n(x + 44)} ${foot + 40}Z" fill="${near}"/>${boughs.join('')}${crown.join('')}`
}

const lake: Motif = (random, { sky, light, near }) => {
  const shore = 640
  const far = ridge(random, 430, 120, 2.4)
  const close = ridge(random, 545, 70, 3.1)
  const peaks = (points: typeof far, colour: string): string =>
    below(
      points.map(([x, y]) => [x, Math.min(y, shore)] as const),
      colour,
    )
  const scene = `${peaks(far, mix(last(sky), near, 0.34))}${peaks(close, mix(last(sky), near, 0.62))}`
  const lines = Array.from({ length: 46 }, () => {
    const depth = random()
    return `<rect x="${n(between(random, -200, WIDTH))}" y="${n(shore + 14 + depth * 500)}" width="${n(between(random, 160, 700))}" height="${n(1.2 + depth * 3)}" fill="${light}" opacity="${(0.05 + random() * 0.13).toFixed(2)}"/>`
  })
  return `<defs>${blur('still', 6)}<clipPath id="upper"><rect width="${WIDTH}" height="${shore}"/></clipPath><clipPath id="lower"><rect y="${shore}" width="${WIDTH}" height="${HEIGHT - shore}"/></clipPath></defs>
${sheet(sky, { height: shore })}${sun(between(random, 500, 1300), 250, 44, light, { reach: 7 })}<g clip-path="url(#upper)">${scene}</g>
<g clip-path="url(#lower)"><g transform="matrix(1 0 0 -1 0 ${shore * 2})" filter="url(#still)">${sheet(sky, { top: shore - 600, height: 600, id: 'mirror' })}<g clip-path="url(#upper)">${scene}</g></g>
<rect y="${shore}" width="${WIDTH}" height="${HEIGHT - shore}" fill="${near}" opacity=".22"/>${lines.join('')}</g>`
}

export const MOTIFS = { hills, sea, olive, dunes, lightOnWall, field, birds, lanterns, tree, lake } as const

export type MotifName = keyof typeof MOTIFS
