import { expect, it } from 'vitest'
import { csvCell } from '#server/platform/csv.ts'

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1+1',
  '  =1+1',
  '\u00a0=1',
  '\ufeff=1',
  '\u200b=1',
  '"=1',
  "'=1",
  '＝1',
  '\t',
  '\u0000=1',
])('a text that a spreadsheet could run is told to be a text: %j', text => {
  const [first, second] = csvCell(text)
  expect(first === '"' ? second : first).toBe("'")
})

it.each(['Médecins', 'a=b', 'Save the Children - Spain', '12.00', '', 'a\n=b'])(
  'any other stays as it is: %j',
  text => {
    expect(csvCell(text).replace(/^"|"$/g, '')).toBe(text)
  },
)

it('what would break the table is quoted', () => {
  expect(csvCell('Médecins, "MSF"')).toBe('"Médecins, ""MSF"""')
  expect(csvCell('two\r\nlines')).toBe('"two\r\nlines"')
})
