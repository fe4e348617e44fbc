/** A piece of a line in one font. */
interface Run {
  readonly font: string
  readonly text: string
  /** Points. */
  readonly width: number
}

export interface Line {
  readonly runs: readonly Run[]
  /** Points. */
  readonly width: number
}

interface Setting {
  /** Names of registered fonts: each letter is written in the first that has it. */
  readonly fonts: readonly string[]
  /** Points. */
  readonly size: number
  /** Of the column, points. */
  readonly width: number
  /** What would be more lines ends in an ellipsis. */
  readonly most?: number
}

export interface Lines {
  (text: string, setting: Setting): readonly Line[]
  /** What of a text can be written in each of these lists of fonts: an emoji, say, would be an empty box. */
  writable(text: string, lists: readonly (readonly string[])[]): string
}

/** The open font behind the one that is chosen; the library's types do not show it. */
interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean
}

/**
 * Breaks texts into lines whose letters may come from several fonts: those made for the web are split by script, and a
 * name may need two of them. A text breaks at its ordinary spaces and after its own line ends; a word that is wider
 * than the column breaks anywhere.
 */
export function createLines(doc: PDFKit.PDFDocument): Lines {
  const opened = new Map<string, Glyphs>()
  const has = (font: string, letter: string): boolean => {
    const glyphs = opened.get(font) ?? (doc.font(font) as unknown as { _font: { font: Glyphs } })._font.font
    opened.set(font, glyphs)
    return glyphs.hasGlyphForCodePoint(letter.codePointAt(0)!)
  }

  /** The text in pieces of one font each. */
  const piecesOf = (text: string, fonts: readonly string[]): { font: string; text: string }[] => {
    const pieces: { font: string; text: string }[] = []
    for (const letter of text) {
      const font = fonts.find(each => has(each, letter)) ?? fonts[0]!
      const last = pieces.at(-1)
      if (last?.font === font) last.text += letter
      else pieces.push({ font, text: letter })
    }
    return pieces
  }

  const lineOf = (text: string, { fonts, size }: Setting): Line => {
    const runs = piecesOf(text, fonts).map(piece => {
      const width = doc.font(piece.font).fontSize(size).widthOfString(piece.text)
      return { ...piece, width }
    })
    return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) }
  }

  // Words come again and again while the best breaks are looked for, and to measure one takes its time.
  const measured = new Map<string, number>()
  const widthOf = (word: string, setting: Setting): number => {
    const key = `${setting.fonts} ${setting.size} ${word}`
    const width = measured.get(key) ?? lineOf(word, setting).width
    measured.set(key, width)
    return width
  }

  /** As many letters of a word as the column takes, one at least; then the rest. */
  const broken = (word: string, setting: Setting): string[] => {
    const parts: string[] = []
    let room = 0
    for (const letter of word) {
      const width = widthOf(letter, setting)
      if (parts.length > 0 && width <= room) parts[parts.length - 1] += letter
      else parts.push(letter)
      room = (parts.at(-1) === letter ? setting.width : room) - width
    }
    return parts
  }

  const textsOf = (text: string, setting: Setting): string[] =>
    text.split('\n').flatMap(paragraph => {
      const words = paragraph
        .split(' ')
        .flatMap(word => (widthOf(word, setting) <= setting.width ? word : broken(word, setting)))
      const space = widthOf(' ', setting)
      const texts: string[] = []
      let room = -1
      for (const word of words) {
        const width = widthOf(word, setting)
        if (texts.length > 0 && space + width <= room) {
          texts[texts.length - 1] += ` ${word}`
          room -= space + width
        } else {
          texts.push(word)
          room = setting.width - width
        }
      }
      return texts
    })

  /** In as many lines as the column asks for, but with no lonely word in the last: broken for the narrowest column. */
  const balanced = (text: string, setting: Setting): string[] => {
    const texts = textsOf(text, setting)
    let [enough, narrow] = [setting.width, setting.width / 2]
    while (texts.length > 1 && enough - narrow > 1) {
      const width = (enough + narrow) / 2
      if (textsOf(text, { ...setting, width }).length > texts.length) narrow = width
      else enough = width
    }
    return textsOf(text, { ...setting, width: enough })
  }

  const lines = (text: string, setting: Setting): readonly Line[] => {
    const texts = balanced(text, setting)
    const { most = texts.length } = setting
    if (texts.length > most) {
      let last = texts[most - 1] ?? ''
      while (last !== '' && lineOf(`${last}…`, setting).width > setting.width)
        last = last.slice(0, -1).trimEnd()
      texts.splice(most - 1, texts.length, `${last}…`)
    }
    return texts.map(each => lineOf(each, setting))
  }
  return Object.assign(lines, {
    writable: (text: string, lists: readonly (readonly string[])[]): string =>
      [...text]
        .filter(letter => lists.every(fonts => fonts.some(font => has(font, letter))))
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
  })
}
