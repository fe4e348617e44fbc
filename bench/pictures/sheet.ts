import sharp from 'sharp'

export interface Photo {
  readonly label: string
  readonly png: Buffer
}

const GAP = 24
const LABEL_HEIGHT = 28

/** Lays photographs out in rows, each made smaller and with its label above, and writes them as one PNG. */
export async function drawSheet(
  photos: readonly Photo[],
  size: { width: number; height: number; columns: number; scale: number },
  file: string,
): Promise<void> {
  const width = Math.round(size.width * size.scale)
  const height = Math.round(size.height * size.scale)
  const place = (index: number) => ({
    left: GAP + (index % size.columns) * (width + GAP),
    top: GAP + Math.floor(index / size.columns) * (height + LABEL_HEIGHT + GAP),
  })
  const small = await Promise.all(photos.map(({ png }) => sharp(png).resize({ width }).png().toBuffer()))
  const labels = await Promise.all(photos.map(({ label }) => drawLabel(label, width)))
  const rows = Math.ceil(photos.length / size.columns)
  await sharp({
    create: {
      width: GAP + size.columns * (width + GAP),
      height: GAP + rows * (height + LABEL_HEIGHT + GAP),
      channels: 3,
      background: '#8a8a8a',
    },
  })
    .composite(
      photos.flatMap((_, index) => {
        const { left, top } = place(index)
        return [
          { input: labels[index]!, left, top },
          { input: small[index]!, left, top: top + LABEL_HEIGHT },
        ]
      }),
    )
    .png()
    .toFile(file)
}

const drawLabel = (text: string, width: number): Promise<Buffer> =>
  sharp({
    text: {
      text: `<span foreground="white">${text.replace(/[<&]/g, ' ')}</span>`,
      font: 'sans 11px',
      dpi: 72,
      rgba: true,
      width,
    },
  })
    .resize({
      width,
      height: LABEL_HEIGHT,
      fit: 'contain',
      position: 'left top',
      background: 'transparent',
      withoutEnlargement: true,
    })
    .png()
    .toBuffer()
