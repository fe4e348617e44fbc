import { expect, it } from 'vitest'
import { csvCell, csvFile, csvLine, figure } from '#server/platform/csv.ts'

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

it('a number stays a number, also a negative one; a text that looks like one does not', () => {
  expect(csvLine([figure('-12.50'), figure('3'), '-12.50'])).toBe("-12.50,3,'-12.50")
})

it.each(['=1', '1,5', '-', '1e3', '', '+1'])('"%s" is no figure', text => {
  expect(() => figure(text)).toThrow(RangeError)
})

it('a file has a line for each row', () => {
  expect(
    csvFile([
      ['a', 'b'],
      ['=1', figure('2')],
    ]),
  ).toBe("a,b\r\n'=1,2\r\n")
})
