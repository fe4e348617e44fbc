import { expect, it } from 'vitest'
import { caseForms } from '#domain/mail/letter-case.ts'

it('writes each letter beyond ASCII both ways', () => {
  expect(caseForms('Núñez@x.es').toSorted()).toEqual(
    ['nÚÑez@x.es', 'nÚñez@x.es', 'núÑez@x.es', 'núñez@x.es', 'Núñez@x.es'].toSorted(),
  )
})

it.each(['ana@example.org', 'straße@example.de', '日本@example.jp'])('leaves %s as it is', address => {
  expect(caseForms(address)).toEqual([address])
})

it('writes what has many such letters in the usual ways alone', () => {
  const forms = caseForms('иван.петров@пример.рф')
  expect(forms).toHaveLength(9)
  expect(forms).toContain('Иван.Петров@пример.рф')
  expect(forms).toContain('ИВАН.ПЕТРОВ@ПРИМЕР.РФ')
  expect(caseForms('ИванПетров@пример.рф')).toContain('ИванПетров@пример.рф')
})

it.each([1, 5, 6, 64])('stays a list that a database can be asked with: of %i such letters', letters => {
  const part = 'é'.repeat(letters)
  expect(caseForms(`${part}@${part}.es`).length).toBeLessThanOrEqual(32 * 32)
})
