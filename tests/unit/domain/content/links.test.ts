import { describe, expect, it } from 'vitest'
import { hostOf, isWebLink } from '#domain/content/links.ts'

describe('a link to another site', () => {
  it.each([
    'https://www.msf.es/',
    'https://example.org',
    'https://es.wfp.org/donar?a=1#b',
    'https://xn--bcher-kva.example/',
    'https://a-b.example.org/ñ',
  ])('is %s', link => expect(isWebLink(link)).toBe(true))

  it.each([
    '',
    'www.msf.es',
    'http://www.msf.es/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https:/www.msf.es',
    'https:///www.msf.es',
    'https://www.msf.es/a b',
    ' https://www.msf.es/',
    'https://user:word@www.msf.es/',
    'https://-x.example/',
    'javascript:alert(1)',
    undefined,
    7,
  ])('is not %s', link => expect(isWebLink(link)).toBe(false))
})

it.each([
  ['https://www.msf.es/', 'msf.es'],
  ['https://es.wfp.org/donar?a=1', 'es.wfp.org'],
  ['https://www.undp.org/es', 'undp.org'],
])('%s is called %s', (link, host) => expect(hostOf(link)).toBe(host))
