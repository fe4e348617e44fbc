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

const ripples: Motif = (random, { sky, light, near }) => {
  const drops = [
    [700 + between(random, -120, 120), 620, 9],
    [1240 + between(random, -90, 90), 380, 6],
    [1120 + between(random, -90, 90), 900, 7],
    [420, 300, 4],
  ] as const
  const rings = drops.flatMap(([x, y, count]) =>
    Array.from({ length: count }, (_, index) => {
      const reach = 26 + index * (46 + index * 3)
      const fade = (1 - index / count) * 0.7
      const ring = (shift: number, colour: string, share: number): string =>
        `<ellipse cx="${n(x)}" cy="${n(y + shift)}" rx="${n(reach)}" ry="${n(reach * 0.4)}" fill="none" stroke="${colour}" stroke-width="${n(2 + (1 - index / count) * 4)}" opacity="${(fade * share).toFixed(2)}"/>`
      return ring(4, near, 0.55) + ring(0, light, 0.95)
    }),
  )
  const bands = Array.from({ length: 26 }, () => {
    const y = random() * HEIGHT
    return `<ellipse cx="${n(random() * WIDTH)}" cy="${n(y)}" rx="${n(between(random, 260, 700))}" ry="${n(between(random, 5, 22))}" fill="${random() < 0.5 ? light : near}" opacity=".05"/>`
  })
  return sheet([...sky, mix(last(sky), near, 0.45)]) + bands.join('') + rings.join('')
}

/** A pine, from its foot up. */
function pine(x: number, foot: number, tall: number, fill: string): string {
  const tiers = Array.from({ length: 6 }, (_, index) => {
    const top = foot - tall + (index * tall) / 7.4
    const half = tall * (0.05 + index * 0.034)
    return `M${n(x)} ${n(top)}L${n(x + half)} ${n(top + tall * 0.24)}L${n(x - half)} ${n(top + tall * 0.24)}Z`
  })
  return `<path d="${tiers.join('')}M${n(x - tall * 0.02)} ${n(foot - tall * 0.2)}h${n(tall * 0.04)}V${n(foot)}h${n(-tall * 0.04)}Z" fill="${fill}"/>`
}

const stars: Motif = (random, { sky, light, near }) => {
  const points = Array.from({ length: 340 }, () => {
    const size = 0.7 + random() ** 5 * 3.6
    return `<circle cx="${n(random() * WIDTH)}" cy="${n(random() ** 1.2 * 900)}" r="${size.toFixed(1)}" fill="${light}" opacity="${between(random, 0.35, 1).toFixed(2)}"/>`
  })
  const veil = Array.from({ length: 34 }, (_, index) => {
    const share = index / 34
    return `<circle cx="${n(120 + share * 1560 + between(random, -60, 60))}" cy="${n(760 - share * 640 + between(random, -70, 70))}" r="${n(between(random, 60, 150))}" fill="${light}" opacity=".035"/>`
  })
  const line = ridge(random, 985, 46, 1.7)
  const pines = Array.from({ length: 46 }, () => {
    const [x, y] = line[Math.floor(random() * line.length)]!
    return pine(
      x + between(random, -18, 18),
      y + 40,
      between(random, 90, 240),
      mix(near, last(sky), random() * 0.14),
    )
  })
  return `<defs>${blur('veil', 42)}</defs>${sheet(sky)}<g filter="url(#veil)">${veil.join('')}</g>${points.join('')}${pines.join('')}${below(line, near)}`
}

const boat: Motif = (random, { sky, light, near }) => {
  const horizon = between(random, 520, 600)
  const x = between(random, 700, 1080)
  const y = horizon + 250
  const hull = (flip: 1 | -1): string =>
    `<path d="M${n(x - 170)} ${n(y - flip * 26)}C${n(x - 90)} ${n(y - flip * 6)} ${n(x + 90)} ${n(y - flip * 6)} ${n(x + 180)} ${n(y - flip * 34)}C${n(x + 150)} ${n(y + flip * 34)} ${n(x - 130)} ${n(y + flip * 38)} ${n(x - 170)} ${n(y - flip * 26)}Z" fill="${near}"/>`
  const waves = Array.from({ length: 60 }, () => {
    const depth = random()
    return `<ellipse cx="${n(random() * WIDTH)}" cy="${n(horizon + 12 + depth * 600)}" rx="${n(40 + depth * 220)}" ry="${n(0.8 + depth * 3)}" fill="${random() < 0.6 ? light : near}" opacity=".12"/>`
  })
  return `<defs>${blur('mirror', 7)}</defs>${sheet(sky, { height: horizon + 2 })}${sun(x + 420, horizon - 190, 54, light, { reach: 8 })}${below(ridge(random, horizon - 26, 22, 1.3), mix(last(sky), near, 0.28))}
${sheet([mix(last(sky), near, 0.12), mix(last(sky), near, 0.5)], { top: horizon, height: HEIGHT - horizon, id: 'water' })}${waves.join('')}
<g filter="url(#mirror)" opacity=".45" transform="matrix(1 0 0 -.8 0 ${n(y * 1.8 + 50)})">${hull(1)}</g>${hull(1)}
<path d="M${n(x - 150)} ${n(y - 22)}C${n(x - 80)} ${n(y - 2)} ${n(x + 90)} ${n(y - 2)} ${n(x + 160)} ${n(y - 28)}" fill="none" stroke="${light}" stroke-width="5" opacity=".6"/>
<path d="M${n(x - 20)} ${n(y - 4)}L${n(x + 250)} ${n(y + 52)}" stroke="${near}" stroke-width="7" stroke-linecap="round"/>`
}

const lighthouse: Motif = (random, { sky, light, near }) => {
  const x = between(random, 1080, 1320)
  const sea = 800
  const beam = (to: number, y: number): string => `M${n(x)} 352L${n(to)} ${n(y - 90)}V${n(y + 110)}Z`
  const waves = Array.from({ length: 70 }, () => {
    const depth = random()
    return `<ellipse cx="${n(random() * WIDTH)}" cy="${n(sea + 10 + depth * 390)}" rx="${n(30 + depth * 170)}" ry="${n(0.8 + depth * 3)}" fill="${light}" opacity="${between(random, 0.05, 0.22).toFixed(2)}"/>`
  })
  return `<defs>${blur('beam', 16)}</defs>${sheet(sky)}<path d="${beam(-80, 250)}${beam(1900, 430)}" fill="${light}" opacity=".2" filter="url(#beam)"/>
${sheet([mix(last(sky), near, 0.4), near], { top: sea, height: HEIGHT - sea, id: 'water' })}${waves.join('')}
<path d="M${n(x - 420)} 1200C${n(x - 330)} 980 ${n(x - 190)} 850 ${n(x - 60)} 820L${n(x + 80)} 812C${n(x + 240)} 850 ${n(x + 430)} 930 1900 960V1200Z" fill="${mix(near, '#000000', 0.25)}"/>
<path d="M${n(x - 36)} 385H${n(x + 36)}L${n(x + 56)} 830H${n(x - 56)}Z" fill="${mix(light, last(sky), 0.25)}"/><path d="M${n(x - 42)} 530H${n(x + 43)}L${n(x + 48)} 640H${n(x - 48)}Z" fill="${mix(near, last(sky), 0.25)}"/>
<path d="M${n(x - 50)} 385H${n(x + 50)}V372H${n(x - 50)}Z" fill="${near}"/><rect x="${n(x - 26)}" y="326" width="52" height="48" fill="${light}"/><path d="M${n(x - 38)} 328Q${n(x)} 262 ${n(x + 38)} 328Z" fill="${near}"/>${sun(x, 350, 17, light, { reach: 9 })}`
}

const path: Motif = (random, { sky, light, near }) => {
  const far = between(random, 820, 980)
  const ground = mix(last(sky), near, 0.34)
  const way = `M${n(far)} 610C${n(far + 150)} 650 ${n(far + 170)} 690 ${n(far + 20)} 740C${n(far - 230)} 820 ${n(far - 250)} 900 ${n(far - 60)} 1000C${n(far + 60)} 1070 ${n(far + 80)} 1130 ${n(far + 40)} 1240H${n(far - 520)}C${n(far - 420)} 1130 ${n(far - 480)} 1060 ${n(far - 540)} 980C${n(far - 620)} 860 ${n(far - 330)} 790 ${n(far - 110)} 730C${n(far + 60)} 690 ${n(far + 90)} 650 ${n(far - 10)} 610Z`
  const grass = Array.from({ length: 260 }, () => {
    const depth = random() ** 0.7
    const x = random() * WIDTH
    const y = 660 + depth * 560
    const tall = 10 + depth * 60
    return `<path d="M${n(x)} ${n(y)}q${n(between(random, -8, 14))} ${n(-tall * 0.6)} ${n(between(random, -6, 22))} ${n(-tall)}" stroke="${mix(ground, near, 0.25 + depth * 0.6)}" stroke-width="${n(1 + depth * 2.4)}" fill="none"/>`
  })
  return `${sheet(sky)}${sun(far + 40, 500, 60, light, { reach: 8 })}${below(ridge(random, 560, 46, 1.9), mix(last(sky), near, 0.16))}${below(ridge(random, 620, 14, 1.1), ground)}${grass.slice(0, 150).join('')}<path d="${way}" fill="${mix(light, ground, 0.28)}"/>${grass.slice(150).join('')}`
}

const candle: Motif = (random, { sky, light, near }) => {
  const x = between(random, 820, 980)
  const wax = mix(light, last(sky), 0.18)
  return `<defs>${blur('flame', 5)}</defs>${sheet([near, mix(near, last(sky), 0.35), mix(near, last(sky), 0.15)])}
${sun(x, 560, 150, last(sky), { reach: 5.2, disc: 0 })}${sun(x, 530, 80, light, { reach: 5, disc: 0 })}
<path d="M0 1000H${WIDTH}V1200H0Z" fill="${mix(near, '#000000', 0.35)}"/><ellipse cx="${n(x)}" cy="1012" rx="400" ry="34" fill="${light}" opacity=".2" filter="url(#flame)"/>
<path d="M${n(x - 74)} 660Q${n(x)} 640 ${n(x + 74)} 660V1010Q${n(x)} 1036 ${n(x - 74)} 1010Z" fill="${wax}"/><path d="M${n(x + 22)} 652Q${n(x + 60)} 655 ${n(x + 74)} 660V1010Q${n(x + 50)} 1020 ${n(x + 22)} 1024Z" fill="${mix(wax, near, 0.35)}" opacity=".6"/><ellipse cx="${n(x)}" cy="660" rx="74" ry="15" fill="${mix(light, wax, 0.3)}"/>
<path d="M${n(x)} 662v-46" stroke="${near}" stroke-width="7" stroke-linecap="round"/><path d="M${n(x)} 622C${n(x - 52)} 588 ${n(x - 36)} 520 ${n(x + 4)} 446C${n(x + 40)} 520 ${n(x + 54)} 588 ${n(x)} 622Z" fill="${light}" filter="url(#flame)"/><path d="M${n(x)} 616C${n(x - 24)} 592 ${n(x - 16)} 560 ${n(x + 2)} 526C${n(x + 22)} 560 ${n(x + 26)} 592 ${n(x)} 616Z" fill="#ffffff" opacity=".75" filter="url(#flame)"/>`
}

const blossom: Motif = (random, { sky, light, near }) => {
  const wood = mix(near, '#3a2c20', 0.5)
  const flower = (x: number, y: number, size: number, fill: string): string => {
    const turn = random() * 72
    const petals = [0, 1, 2, 3, 4].map(
      index =>
        `<ellipse transform="rotate(${n(turn + index * 72)})" cx="0" cy="${n(-size * 0.62)}" rx="${n(size * 0.44)}" ry="${n(size * 0.56)}" fill="${index % 2 ? fill : mix(fill, '#ffffff', 0.25)}"/>`,
    )
    const threads = Array.from(
      { length: 7 },
      (_, index) =>
        `<circle transform="rotate(${n(index * 51)})" cx="0" cy="${n(-size * 0.3)}" r="${n(size * 0.055)}" fill="${wood}"/>`,
    )
    return `<g transform="translate(${n(x)} ${n(y)})">${petals.join('')}<circle r="${n(size * 0.17)}" fill="${mix(fill, wood, 0.45)}"/>${threads.join('')}</g>`
  }
  const twigs = [
    [-60, 300, 700, 330, 1500, 760],
    [420, 340, 700, 560, 820, 960],
    [800, 430, 1180, 330, 1560, 240],
  ] as const
  const parts = twigs.map(([x0, y0, x1, y1, x2, y2], which) => {
    const blooms = Array.from({ length: 9 }, (_, index) => {
      const share = 0.16 + (index / 9) * 0.84
      const at = (from: number, bend: number, to: number): number =>
        (1 - share) ** 2 * from + 2 * share * (1 - share) * bend + share ** 2 * to
      const [x, y] = [at(x0, x1, x2) + between(random, -46, 46), at(y0, y1, y2) + between(random, -52, 52)]
      return random() < 0.24
        ? `<ellipse cx="${n(x)}" cy="${n(y)}" rx="17" ry="22" fill="${mix(light, near, 0.12)}"/>`
        : flower(x, y, between(random, 50, 84), light)
    })
    return `<path d="M${x0} ${y0}Q${x1} ${y1} ${x2} ${y2}" fill="none" stroke="${wood}" stroke-width="${which === 0 ? 17 : 9}" stroke-linecap="round"/>${blooms.join('')}`
  })
  const haze = Array.from(
    { length: 16 },
    () =>
      `<circle cx="${n(random() * WIDTH)}" cy="${n(random() * HEIGHT)}" r="${n(between(random, 40, 110))}" fill="${light}" opacity=".28"/>`,
  )
  return `<defs>${blur('haze', 24)}</defs>${sheet(sky)}<g filter="url(#haze)">${haze.join('')}</g>${parts.join('')}`
}

const trunks: Motif = (random, { sky, light, near }) => {
  const rows = [0, 1, 2, 3].map(row => {
    const colour = mix(last(sky), near, 0.14 + row * 0.25)
    const wide = 12 + row * 17
    const count = 13 - row * 2
    const stems = Array.from({ length: count }, (_, index) => {
      const x = ((index + between(random, 0.15, 0.85)) / count) * WIDTH
      const lean = between(random, -16, 16)
      const foot = 900 + row * 80
      const marks =
        row < 2
          ? ''
          : Array.from({ length: 9 }, () => {
              const y = between(random, 40, foot - 90)
              return `<path d="M${n(x - wide * 0.4 + (lean * (foot - y)) / foot)} ${n(y)}h${n(wide * between(random, 0.2, 0.6))}" stroke="${mix(colour, light, 0.42)}" stroke-width="${n(2 + row)}" opacity=".55"/>`
            }).join('')
      return `<path d="M${n(x - wide / 2)} ${foot}L${n(x - wide * 0.36 + lean)} -20H${n(x + wide * 0.36 + lean)}L${n(x + wide / 2)} ${foot}Z" fill="${colour}"/>${marks}`
    })
    return `${stems.join('')}${below(ridge(random, 885 + row * 82, 14, 1.4), mix(last(sky), near, 0.1 + row * 0.22))}<rect width="${WIDTH}" height="${HEIGHT}" fill="${light}" opacity="${row < 3 ? '.11' : '0'}"/>`
  })
  return (
    sheet(sky) + sun(between(random, 520, 1280), 420, 90, light, { reach: 6, disc: 0.85 }) + rows.join('')
  )
}

const village: Motif = (random, { sky, light, near }) => {
  const houses = [0, 1, 2].flatMap(row =>
    Array.from({ length: 11 - row * 2 }, (_, index) => {
      const wide = 120 + row * 46
      const x = (index / (11 - row * 2)) * (WIDTH + 200) - 120 + between(random, -24, 24)
      const foot = 860 + row * 120
      const tall = between(random, 130, 230) + row * 24
      const wall = mix(last(sky), near, 0.42 + row * 0.24)
      const roof = tall * 0.34
      const windows = [0, 1, 2, 3].map(place => {
        const isLit = random() < 0.42
        const [wx, wy] = [
          x + wide * (place % 2 ? 0.58 : 0.18),
          foot - tall + 26 + (place < 2 ? 0 : tall * 0.4),
        ]
        return isLit
          ? `<rect x="${n(wx)}" y="${n(wy)}" width="${n(wide * 0.2)}" height="${n(wide * 0.26)}" rx="3" fill="${light}"/>`
          : ''
      })
      return `<path d="M${n(x)} ${foot + 240}V${n(foot - tall)}L${n(x + wide / 2)} ${n(foot - tall - roof)}L${n(x + wide)} ${n(foot - tall)}V${foot + 240}Z" fill="${wall}"/>${windows.join('')}`
    }),
  )
  return `${sheet(sky)}${sun(between(random, 380, 700), 250, 46, light, { reach: 6 })}${below(ridge(random, 660, 70, 1.6), mix(last(sky), near, 0.2))}${houses.join('')}`
}

const arch: Motif = (random, { sky, light, near }) => {
  const x = between(random, 760, 1040)
  const wall = mix(last(sky), near, 0.1)
  const door = (shift: number): string =>
    `M${n(x - 230 + shift)} 1010V520A230 230 0 0 1 ${n(x + 230 + shift)} 520V1010Z`
  const pot = x > 900 ? x - 480 : x + 480
  const leaves = Array.from({ length: 26 }, () =>
    leaf(
      pot,
      850,
      between(random, -165, -15),
      between(random, 110, 230),
      between(random, 26, 46),
      mix(near, light, random() * 0.25),
    ),
  )
  return `<defs>${blur('edge', 10)}<clipPath id="door"><path d="${door(0)}"/></clipPath></defs>${sheet([sky[0]!, wall])}
<path d="${door(26)}" fill="${near}" opacity=".22" filter="url(#edge)"/><g clip-path="url(#door)">${sheet([mix(light, sky[0]!, 0.25), light], { id: 'within' })}${below(ridge(random, 800, 40, 2.2), mix(last(sky), near, 0.3))}${below(ridge(random, 890, 26, 1.6), mix(last(sky), near, 0.55))}${sun(x + 70, 560, 50, '#ffffff', { reach: 6 })}</g>
<path d="M0 1010H${WIDTH}V1200H0Z" fill="${mix(wall, near, 0.35)}"/><path d="M${n(x - 230)} 1010H${n(x + 230)}L${n(x + 430)} 1200H${n(x - 90)}Z" fill="${light}" opacity=".5"/>
${leaves.join('')}<path d="M${n(pot - 84)} 850H${n(pot + 84)}L${n(pot + 60)} 1030H${n(pot - 60)}Z" fill="${mix(near, '#a8583a', 0.5)}"/><rect x="${n(pot - 96)}" y="838" width="192" height="34" rx="6" fill="${mix(near, '#a8583a', 0.38)}"/>`
}

export const MOTIFS = {
  hills,
  sea,
  olive,
  dunes,
  lightOnWall,
  field,
  birds,
  lanterns,
  tree,
  lake,
  ripples,
  stars,
  boat,
  lighthouse,
  path,
  candle,
  blossom,
  trunks,
  village,
  arch,
} as const

export type MotifName = keyof typeof MOTIFS
