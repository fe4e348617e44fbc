/**
 * What every screen's switches do: the language choice is remembered in a cookie (a setting the visitor made,
 * decisions §2), the calm switch in storage (§12), menus close on Escape, and the display face is fetched once
 * the first paint is over. Kept tiny: the receiver's story loads it too.
 */
import displayFace from '@fontsource/noto-serif-display/files/noto-serif-display-latin-500-normal.woff2?url'

const root = document.documentElement

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-language]'))
  link.addEventListener('click', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `lang=${link.dataset.language}; Path=/; Max-Age=31536000; SameSite=Lax`
  })

const calm = document.querySelector<HTMLButtonElement>('[data-action="calm"]')
calm?.setAttribute('aria-pressed', String(root.classList.contains('calm')))
calm?.addEventListener('click', () => {
  const on = root.classList.toggle('calm')
  calm.setAttribute('aria-pressed', String(on))
  try {
    localStorage.setItem('gift:calm', on ? 'on' : 'off')
  } catch {
    // Storage is blocked: the choice holds for this page.
  }
})

document.addEventListener('keydown', event => {
  const open = event.key === 'Escape' && document.querySelector<HTMLDetailsElement>('details.switch[open]')
  if (!open) return
  open.open = false
  open.querySelector('summary')?.focus()
})

const fetchDisplayFace = (): void => {
  const face = new FontFace('Noto Serif Display', `url(${displayFace})`, { weight: '400 600' })
  face.load().then(
    () => document.fonts.add(face),
    () => {},
  )
}
if (document.readyState === 'complete') fetchDisplayFace()
else addEventListener('load', fetchDisplayFace)
