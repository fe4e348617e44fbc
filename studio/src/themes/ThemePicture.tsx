import { Box, Stack } from '@sanity/ui'
import type { ReactElement } from 'react'
import type { ObjectInputProps } from 'sanity'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { ENVELOPE_BOX, envelopeShapes, isMotif, readColour } from '../product.ts'
import type { ThemeFacts } from '../rules/themes.ts'

/** The envelope in a theme's colours, as soon as there are any. */
function Envelope({ look, width }: { readonly look: ThemeFacts; readonly width: number | string }) {
  const { paper, ink, motif } = look
  if (!readColour(paper) || !readColour(ink)) return null
  const colours = { paper: String(paper), ink: String(ink) }
  const shapes = envelopeShapes({ motif: isMotif(motif) ? motif : 'plain' }, colours)
  return (
    <svg
      viewBox={ENVELOPE_BOX}
      width={width}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the domain's own drawing
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
  )
}

/** The picture of a theme in lists. */
export const themePicture = (look: ThemeFacts): ReactElement => <Envelope look={look} width="100%" />

/** A theme's form, below the envelope as it will arrive. */
export function ThemeForm(props: ObjectInputProps) {
  const look = (props.value ?? {}) as ThemeFacts
  const paper = readColour(look.paper) ? String(look.paper) : undefined
  return (
    <Stack gap={5}>
      {paper && (
        <Box padding={4} style={{ background: paper, textAlign: 'center' }} data-theme-picture="">
          <Envelope look={look} width={220} />
        </Box>
      )}
      <WithLanguageTabs {...props} />
    </Stack>
  )
}
