import { SETTING_NAMES } from './schema.ts'

/** What may stand in the settings file beside ours: names of Node, npm, the system and Sanity's own tools. */
const OTHERS =
  /^(NODE_\w+|npm_\w+|UV_\w+|MALLOC_\w+|TZ|LANG|LC_\w+|PATH|HOME|TMPDIR|SSL_CERT_\w+|SANITY_AUTH_TOKEN|SANITY_STUDIO_\w+|(https?|no|all)_proxy)$/i

/** What the names of our settings begin with. */
const OURS =
  /^(STRIPE|SANITY|SMTP|OPERATOR|CARD_KEY|LEDGER_KEY|METRICS|KEEP_PERSONAL|TRUSTED|MAIL_FROM|SITE_URL)/

/** A setting that is meant by a name that is none, when one is near enough. */
export function meant(name: string): string | undefined {
  const most = name.length < 6 ? 1 : name.length < 12 ? 2 : 3
  const [nearest] = SETTING_NAMES.map(each => ({
    each,
    steps: stepsBetween(name.toUpperCase(), each),
  })).toSorted((one, other) => one.steps - other.steps)
  return nearest && nearest.steps <= most ? nearest.each : undefined
}

/**
 * The names that look like settings of ours and are none.
 * @param environment everything that is set in the process
 * @param inFile the names of the settings file: nothing else belongs there
 */
export function strangers(
  environment: Readonly<Record<string, string | undefined>>,
  inFile: readonly string[],
): { readonly name: string; readonly meant: string | undefined }[] {
  const known = new Set<string>(SETTING_NAMES)
  const set = Object.keys(environment).filter(name => environment[name]?.trim())
  const looksOurs = (name: string) =>
    // A short word has too many neighbours: HOST and HOME.
    OURS.test(name) || (name.includes('_') && name.length >= 8 && meant(name) !== undefined)
  const names = new Set([...inFile, ...set.filter(looksOurs)])
  return [...names]
    .filter(name => !known.has(name) && !OTHERS.test(name))
    .map(name => ({ name, meant: meant(name) }))
}

/** How many letters have to be put in, taken out, changed or swapped with the next to make one text the other. */
function stepsBetween(one: string, other: string): number {
  const rows: number[][] = Array.from({ length: one.length + 1 }, (_, n) => [n])
  for (let column = 0; column <= other.length; column++) rows[0]![column] = column
  const at = (row: number, column: number) => rows[row]![column]!
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      rows[row]![column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(one.length, other.length)
}
