import { ENVELOPE, FLAP_MOTIFS } from '#domain/envelope.ts'
import { mixed, type Theme } from '#domain/themes.ts'

/** Draws the closed envelope of a theme as vectors. @param at in points */
export function drawEnvelope(
  doc: PDFKit.PDFDocument,
  { background, text, motif }: Theme,
  { left, top, width }: { readonly left: number; readonly top: number; readonly width: number },
): void {
  const cut = FLAP_MOTIFS[motif]
  const { body, folds, flap, hairline, hairlineShare } = ENVELOPE
  // Opaque: what is printed over another colour comes out alike on every printer.
  const line = [...mixed(text, background, hairlineShare)] as [number, number, number]
  doc.save()
  doc.translate(left, top).scale(width / ENVELOPE.width)
  doc.lineWidth(hairline)
  doc.path(body).fillAndStroke([...background], line)
  doc.path(folds).stroke(line)
  doc.path(flap).fill([...text])
  if (cut) doc.path(cut).fill([...background])
  doc.restore()
}
