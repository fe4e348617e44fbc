import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { CARD_STATUSES } from '#domain/card/states.ts'
import {
  certificateAnswer,
  certificateNumber,
  certificateState,
  certifiedAmount,
  holderFaults,
  readHolder,
  readWritten,
  yearOfCertificate,
} from '#domain/donor/certificate.ts'

const AINA = { name: 'Aina Ferrer', document: '12.345.678-z', address: 'Carrer Major 1, 08001 Barcelona' }

describe('the form of a certificate', () => {
  it('is read as one clean line for each field', () => {
    const typed: Record<string, string> = { ...AINA, name: '  Aina \n Ferrer ' }
    expect(readWritten(field => typed[field])).toEqual(AINA)
    expect(readHolder(AINA)).toEqual({ ...AINA, document: '12345678Z' })
    expect(readWritten(() => null)).toEqual({ name: '', document: '', address: '' })
  })

  it.each([
    [{ name: '' }, ['name']],
    [{ document: 'none' }, ['document']],
    [{ address: '' }, ['address']],
    [{ name: '', document: '', address: '' }, ['name', 'document', 'address']],
    [{ name: '王小明' }, ['name']],
    [{ name: 'Aina Ａ' }, ['name']],
    [{ address: 'Carrer Major 1 🏠' }, ['address']],
    [{ name: 'عائشة', address: '東京都' }, ['name', 'address']],
  ] as const)('is refused with %j', (wrong, fields) => {
    expect(holderFaults({ ...AINA, ...wrong })).toEqual(fields)
    expect(readHolder({ ...AINA, ...wrong })).toBeUndefined()
  })
})

it.each([
  'Łucja Ðorđević-Öztürk',
  'Αλέξης Παπαδόπουλος',
  'Наталія Їжакевич',
  'Nguyễn Thị Ánh',
  'D’Arc · «Sant Pau», 3º 2ª — 08001 (Barcelona) €№',
])('is given to %s', name => {
  expect(readHolder({ ...AINA, name, address: name })).toMatchObject({ name, address: name })
})

it('is asked for in letters alone that its font has', () => {
  const doc = new PDFDocument().font(
    fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  )
  const { font } = (doc as unknown as { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } })
    ._font
  const taken = Array.from({ length: 0x10000 }, (_, point) => point).filter(
    point => holderFaults({ ...AINA, name: String.fromCharCode(point) }).length === 0,
  )
  expect(taken.length).toBeGreaterThan(1_000)
  const assigned = taken.filter(point => !/\p{Cn}/u.test(String.fromCharCode(point)))
  expect(assigned.filter(point => !font.hasGlyphForCodePoint(point))).toEqual([])
})

describe('a certificate', () => {
  it('can be downloaded until money goes back, or until whom it names is forgotten', () => {
    const states = [false, true].flatMap(isVoid =>
      ['Aina', ''].map(name => certificateState({ isVoid, name })),
    )
    expect(states).toEqual(['made', 'forgotten', 'void', 'void'])
  })

  const early = { amount: 100, now: 9, endsAt: 10, isHeld: false }
  const late = { ...early, now: 10 }

  it('can be made of what is for ever alone', () => {
    const answers = (purchase: typeof early) =>
      Object.fromEntries(
        [...CARD_STATUSES, undefined].map(card => [String(card), certificateAnswer({ ...purchase, card })]),
      )
    const held = { frozen: 'held', cancelling: 'held', undefined: 'early', revoked: 'nothing' }
    expect(answers(early)).toEqual({ ...held, active: 'early', left: 'early', consumed: 'ready' })
    expect(answers(late)).toEqual({ ...held, active: 'ready', left: 'ready', consumed: 'ready' })
    expect(new Set(Object.values(answers({ ...late, amount: 0 })))).toEqual(new Set(['nothing']))
    const used = { left: 'held', consumed: 'held' }
    const all = { active: 'held', ...used, frozen: 'held', cancelling: 'held', undefined: 'held' }
    expect(answers({ ...late, isHeld: true })).toEqual({ ...all, revoked: 'nothing' })
  })

  it('is about the gift, never the support, the price of an invitation, or what went back', () => {
    const sale = { kind: 'donation', ngo: 5_000, total: 6_500, givenBack: 0 } as const
    expect(certifiedAmount(sale)).toBe(5_000)
    expect(certifiedAmount({ ...sale, givenBack: 1_500 })).toBe(5_000)
    expect(certifiedAmount({ ...sale, givenBack: 1_501 })).toBe(4_999)
    expect(certifiedAmount({ ...sale, givenBack: 7_000 })).toBe(0)
    expect(certifiedAmount({ ...sale, kind: 'volunteering' })).toBe(0)
  })

  it('is numbered within a year of Madrid', () => {
    expect(certificateNumber({ year: 2026, number: 17, letters: '7QK3' })).toBe('2026-000017-7QK3')
    expect(yearOfCertificate(Date.parse('2026-12-31T22:59:59Z'))).toBe(2026)
    expect(yearOfCertificate(Date.parse('2026-12-31T23:00:00Z'))).toBe(2027)
  })
})
