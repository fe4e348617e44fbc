import encodeFile from './qr-encode.ts?own-file'

/** The code of a link, as one SVG path of the dark modules in a square of `size` units, its light edge included. */
export interface Qr {
  readonly size: number
  readonly path: string
  readonly modules: readonly (readonly boolean[])[]
}

/** Light modules around the code, without which cameras do not find it. */
const QUIET_MODULES = 4

/** The code of a link. What draws it is fetched only now: few of those who see a link send it as a picture. */
export async function qrOf(link: string): Promise<Qr> {
  const { encode }: typeof import('./qr-encode.ts') = await import(/* @vite-ignore */ encodeFile)
  const { data, size } = encode(link, { ecc: 'M', boostEcc: false, border: QUIET_MODULES })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path, modules: data }
}

/** Large enough for the camera of another phone, when it is shown on this one. */
const MODULE_PX = 14

/** The code as a picture to send; undefined where the browser makes none. */
export async function qrPicture({ size, modules }: Qr, name: string): Promise<File | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size * MODULE_PX
  const context = canvas.getContext('2d')
  if (!context) return undefined
  // Black on white whatever the theme, so that every camera reads it.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const [y, row] of modules.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) context.fillRect(x * MODULE_PX, y * MODULE_PX, MODULE_PX, MODULE_PX)
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
  return blob ? new File([blob], name, { type: 'image/png' }) : undefined
}
