import { expect, test } from 'vitest'
import { galleryPage, type Picture } from '../../../bench/pictures/gallery.ts'

const aPicture = (changes: Partial<Picture> = {}): Picture => ({
  screen: 'introduction-1',
  theme: 'ukraine',
  language: 'fr',
  width: 390,
  height: 844,
  file: '390x844/introduction-1.png',
  ...changes,
})

test('shows each picture at its size, under its name, theme and language', () => {
  const page = galleryPage([
    aPicture(),
    aPicture({ screen: 'choose-theme', file: '390x844/choose-theme.png' }),
  ])
  expect(page).toContain('introduction-1 · ukraine · fr · 390 × 844')
  expect(page).toMatch(/src="390x844\/choose-theme.png" alt="choose-theme · [^"]+" width="390" height="844"/)
  expect(page).toContain('2 pictures')
})

test('finds a picture by lower-case words of its title, and lets a name break out of nothing', () => {
  const page = galleryPage([aPicture({ screen: 'A "<b>' })])
  expect(page).toContain('data-title="a &#34;&#60;b&#62; · ukraine')
  expect(page).not.toContain('<b>')
})
