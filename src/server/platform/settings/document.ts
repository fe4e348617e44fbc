import { aboutSetting, SETTING_NAMES, type SettingName } from './schema.ts'

const WIDTH = 120

const HEAD = `Copy to .env; npm start reads it. With nothing set, everything runs on this machine alone: an embedded database, test payments, seed content, mails as files with an inbox page. NODE_ENV=production needs all that is marked (P). \`npm run ops -- go-live\` writes this file for a site of its own.`

/** The file of settings for a person to read and fill in: each with what it is for, in the order of the schema. */
export function settingsDocument(
  values: Readonly<Partial<Record<SettingName, string>>> = {},
  head: string = HEAD,
): string {
  const parts = SETTING_NAMES.map(name => {
    const { says, standard = '', production, heading } = aboutSetting(name)
    const lines = [
      ...(heading === undefined ? [] : ['', `# --- ${heading} ---`, '']),
      ...wrapped(`${production ? '(P) ' : ''}${says}`),
      `${name}=${quoted(values[name] ?? standard)}`,
    ]
    return lines.join('\n')
  })
  return `${wrapped(head).join('\n')}\n${parts.join('\n')}\n`
}

/**
 * What Node reads back as it was: a word as it is, anything else between quotes that it does not hold.
 * @throws Error where it holds every kind of them
 */
export function quoted(value: string): string {
  if (/^[\w.:/@%+,=~?&-]*$/.test(value)) return value
  // Between double quotes Node takes \n for the end of a line.
  const quotes = value.includes('\\') ? ["'", '`'] : ['"', "'", '`']
  const quote = quotes.find(each => !value.includes(each))
  if (quote === undefined)
    throw new Error('A value with every quotation mark that it could stand between cannot be written.')
  return `${quote}${value}${quote}`
}

function wrapped(words: string): string[] {
  const lines: string[] = []
  let line = '#'
  for (const word of words.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = '#'
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
