import { z } from 'zod'
import { isPictureAsset, WHOLE } from '#domain/images/picture.ts'
import { id, inEveryLanguage, link, listOf, text } from './fields.ts'

/** An organisation whose page a recipient is shown who accepted. */
export const volunteeringOrganisations = listOf(
  z.object({
    id,
    title: inEveryLanguage(text),
    description: inEveryLanguage(text),
    links: inEveryLanguage(link),
  }),
)

export const missions = listOf(
  z.object({
    id,
    title: inEveryLanguage(text),
    description: inEveryLanguage(text),
    // The operator may leave it empty; a reference whose target is not published reads as empty too.
    organisationId: id.nullish().transform(given => given ?? null),
  }),
)

const share = z.number().min(0).max(1)

const crop = z
  .object({ top: share, bottom: share, left: share, right: share })
  .refine(({ top, bottom, left, right }) => top + bottom < 1 && left + right < 1, 'nothing is left of it')

export const memorialPhotos = listOf(
  z.object({
    id,
    author: text,
    licence: text,
    caption: inEveryLanguage(text),
    alt: inEveryLanguage(text),
    image: z.object({
      asset: z.string().max(200).refine(isPictureAsset, 'not a picture'),
      crop: crop.nullish().transform(given => given ?? WHOLE),
    }),
  }),
)
