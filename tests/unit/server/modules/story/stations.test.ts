import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import type { GivenPassport, Passport } from '#server/modules/gifts/interface.ts'
import { givenStations, stationsOf } from '#server/modules/story/stations.ts'

const snapshot = {
  knownNgos: [{ id: 'ngo-msf', title: { es: 'Médicos', en: 'Doctors', fr: 'Médecins' } }],
} as unknown as ContentSnapshot
const line = { number: 7, cause: 'sale', nonce: 'ab', amounts: [] } as const
const AT = Date.parse('2027-03-10T12:00:00Z')
const passport: Passport = { free: false, paid: { at: AT, line }, until: Date.parse('2028-03-10T23:00:00Z') }
const told = (stations: readonly { readonly name: string; readonly text: string }[]) =>
  stations.map(({ name, text }) => `${name}: ${text}`)

describe('the stations of a card', () => {
  it('are when it was paid, and until when it can be given', () => {
    expect(stationsOf(passport, 'en')).toEqual([
      { name: 'Paid', text: 'March\u00a010, 2027', line },
      { name: 'To be given by', text: 'March\u00a010, 2028', line: null },
    ])
    expect(told(stationsOf({ ...passport, free: true }, 'fr'))).toEqual([
      'Payé par une campagne: 10\u00a0mars 2027',
      'À donner jusqu’au: 10\u00a0mars 2028',
    ])
  })

  it('are the month of its use, and the run that paid it out', () => {
    const used = { by: 'recipient', month: '2027-04', line: undefined } as const
    const run = { id: '01RUN', at: Date.parse('2027-05-02T12:00:00Z') }
    expect(told(stationsOf({ ...passport, used, run }, 'es'))).toEqual([
      'Pagado: 10\u00a0de\u00a0marzo de 2027',
      'Usado: abril de 2027',
      'Pagado a las organizaciones: 2\u00a0de\u00a0mayo de 2027, remesa 01RUN',
    ])
    const unused = { by: 'auto-donation', month: '2028-03', line: { ...line, cause: 'auto' } } as const
    expect(stationsOf({ ...passport, used: unused }, 'en')[1]).toEqual({
      name: 'Nobody used it: given to an organization',
      text: 'March 2028',
      line: unused.line,
    })
  })

  it('are by the receipt key where each part is', () => {
    const part = { ngoId: 'ngo-msf', amount: money(3_000, 'EUR') }
    const paid = { ...line, cause: 'paid', nonce: null } as const
    const given: GivenPassport = {
      month: '2027-04',
      line: undefined,
      parts: [
        { ...part, payout: undefined },
        { ...part, ngoId: 'ngo-gone', payout: { id: '01OPEN', at: null, line: undefined } },
        { ...part, payout: { id: '01PAID', at: AT, line: paid } },
      ],
    }
    const stations = givenStations(given, snapshot, 'en')
    expect(told(stations)).toEqual([
      'Your choice: April 2027',
      'Doctors: €30.00, waiting for its transfer',
      'ngo-gone: €30.00, in transfer 01OPEN',
      'Doctors: €30.00, paid on March\u00a010, 2027 by transfer 01PAID',
    ])
    expect(stations.map(station => station.line)).toEqual([null, null, null, paid])
  })
})
