/** One photograph of a screen, at the size that the visitor sees. */
export interface Picture {
  readonly screen: string
  readonly theme: string
  readonly language: string
  /** The window's, CSS px. */
  readonly width: number
  readonly height: number
  /** Its file, from the gallery's own folder. */
  readonly file: string
}

/** What the search looks through, and what stands above a picture. */
export const titleOf = ({ screen, theme, language, width, height }: Picture): string =>
  `${screen} · ${theme} · ${language} · ${width} × ${height}`

/**
 * A page that shows every picture at its full size, with a search by the words of its title: all that are typed must be
 * in it. The search is kept in the address, so that what was found can be shown to somebody else.
 */
export const galleryPage = (pictures: readonly Picture[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Every screen</title>
<style>
  body { margin: 0; font: 16px/1.4 system-ui, sans-serif; color: #222; background: #8a8a8a; }
  header { position: sticky; top: 0; z-index: 1; padding: 12px 24px; background: #fff; border-bottom: 1px solid #bbb; }
  input { width: min(32rem, 100%); font: inherit; padding: 8px; }
  main { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 24px; padding: 24px; }
  figure { margin: 0; max-width: 100%; }
  figcaption { padding-block: 4px; color: #fff; background: #333; padding-inline: 8px; }
  img { display: block; max-width: 100%; height: auto; background: #fff; }
  [hidden] { display: none; }
</style>
</head>
<body>
<header>
  <label>Search <input type="search" placeholder="introduction ukraine fr 390"></label>
  <output>${pictures.length} pictures</output>
</header>
<main>
${pictures.map(figure).join('\n')}
</main>
<script>
  const field = document.querySelector('input')
  const figures = [...document.querySelectorAll('figure')]
  const show = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean)
    for (const each of figures) each.hidden = !words.every(word => each.dataset.title.includes(word))
    document.querySelector('output').textContent = figures.filter(each => !each.hidden).length + ' pictures'
    history.replaceState(null, '', '#' + encodeURIComponent(field.value))
  }
  field.value = decodeURIComponent(location.hash.slice(1))
  field.addEventListener('input', show)
  show()
</script>
</body>
</html>
`

const figure = (picture: Picture): string => {
  const title = escaped(titleOf(picture))
  return `<figure data-title="${title.toLowerCase()}"><figcaption>${title}</figcaption><a href="${escaped(picture.file)}"><img loading="lazy" src="${escaped(picture.file)}" alt="${title}" width="${picture.width}" height="${picture.height}"></a></figure>`
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, character => `&#${character.codePointAt(0)};`)
