import { join } from 'node:path'
import sharp from 'sharp'

/**
 * `node bench/pictures/ten-screens.ts`, after `npm run screens -- ukraine`: lays ten of its photographs out beside each other,
 * as docs/pictures/gift-before.png shows these screens before the envelope.
 */
const FILE = 'docs/pictures/gift-after.png'
const FOLDER = 'test-results/screens/390x844'
const SHOWN = { width: 300, height: 649, gap: 14, columns: 5 }
const SCREENS = [
  'choose-theme',
  'introduction-1',
  'introduction-4',
  'packages-donation',
  'donation-packages-support-amount',
  'donation-success',
  'volunteering-success',
  'select-ngo_list',
  'select-ngo_confirm',
  'thanks_given',
]

const { width, height, gap, columns } = SHOWN
const photos = await Promise.all(
  SCREENS.map(name =>
    sharp(join(FOLDER, `${name}-ukraine-es.png`))
      .resize({ width, height })
      .png()
      .toBuffer(),
  ),
)
await sharp({
  create: {
    width: gap + columns * (width + gap),
    height: gap + Math.ceil(photos.length / columns) * (height + gap),
    channels: 3,
    background: '#8a8a8a',
  },
})
  .composite(
    photos.map((input, n) => ({
      input,
      left: gap + (n % columns) * (width + gap),
      top: gap + Math.floor(n / columns) * (height + gap),
    })),
  )
  .png({ palette: true })
  .toFile(FILE)
