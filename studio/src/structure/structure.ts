import { BulbOutlineIcon } from '@sanity/icons/BulbOutline'
import { CheckmarkCircleIcon } from '@sanity/icons/CheckmarkCircle'
import { CogIcon } from '@sanity/icons/Cog'
import { ColorWheelIcon } from '@sanity/icons/ColorWheel'
import { DocumentTextIcon } from '@sanity/icons/DocumentText'
import { HeartIcon } from '@sanity/icons/Heart'
import { ImagesIcon } from '@sanity/icons/Images'
import { OlistIcon } from '@sanity/icons/Olist'
import { PackageIcon } from '@sanity/icons/Package'
import { RocketIcon } from '@sanity/icons/Rocket'
import { TagIcon } from '@sanity/icons/Tag'
import { UsersIcon } from '@sanity/icons/Users'
import type { StructureBuilder, StructureResolver, StructureResolverContext } from 'sanity/structure'
import { named } from '../languages/names.ts'
import { dayOf } from '../rules/days.ts'
import { listId } from '../rules/next-list.ts'
import { REVIEW_DUE, REVIEWED_TYPES, reviewLimit } from '../rules/review.ts'
import { PAGE_TITLES } from '../schemas/page.ts'

const API_VERSION = '2026-05-04'

/** The desk, in the order in which an operator needs it through the year. */
export const structure: StructureResolver = (S, context) =>
  S.list()
    .title('Content')
    .items([
      S.listItem()
        .id('this-years-list')
        .title('This year’s list')
        .icon(OlistIcon)
        .child(() => listOnTheSite(S, context)),
      S.listItem()
        .id('review-due')
        .title('Review due')
        .icon(CheckmarkCircleIcon)
        .child(() => reviewDue(S, context)),
      S.divider(),
      kind(S, 'ngo', 'Organisations', HeartIcon, [{ field: named('title'), direction: 'asc' }]),
      kind(S, 'ngoList', 'Lists of all years', OlistIcon, [{ field: 'year', direction: 'desc' }]),
      S.divider(),
      kind(S, 'giftPackage', 'Packages and prices', PackageIcon, [{ field: 'place', direction: 'asc' }]),
      single(S, 'invitationPackage', 'invitationPackage', 'Volunteering package').icon(PackageIcon),
      S.divider(),
      kind(S, 'mission', 'Missions', RocketIcon, [{ field: 'place', direction: 'asc' }]),
      kind(S, 'volunteeringOrganisation', 'Volunteering organisations', UsersIcon, [
        { field: 'place', direction: 'asc' },
      ]),
      kind(S, 'memorialPhoto', 'Memorial', ImagesIcon, [{ field: 'place', direction: 'asc' }]),
      S.divider(),
      S.listItem()
        .id('pages')
        .title('Pages')
        .icon(DocumentTextIcon)
        .child(
          S.list()
            .title('Pages')
            .items(
              Object.entries(PAGE_TITLES).map(([slug, title]) => single(S, 'page', `page-${slug}`, title)),
            ),
        ),
      S.divider(),
      kind(S, 'theme', 'Themes', ColorWheelIcon, [{ field: 'place', direction: 'asc' }]),
      S.divider(),
      kind(S, 'freeCampaign', 'Campaigns with free cards', TagIcon, [{ field: 'tag', direction: 'asc' }]),
      kind(S, 'adCampaign', 'Adverts', BulbOutlineIcon, [{ field: 'code', direction: 'asc' }]),
      S.divider(),
      single(S, 'settings', 'settings', 'Settings').icon(CogIcon),
    ])

/** The list that visitors see: the newest one published. Before there is any, an empty one for this year. */
async function listOnTheSite(S: StructureBuilder, { getClient }: StructureResolverContext) {
  const client = getClient({ apiVersion: API_VERSION }).withConfig({ perspective: 'published' })
  const found = await client.fetch<string | null>('*[_type == "ngoList"] | order(year desc)[0]._id')
  // Its own name for the pane: links to the document lead to the lists of all years, where it always is.
  return S.document()
    .id('this-years-list')
    .schemaType('ngoList')
    .documentId(found ?? listId(new Date().getFullYear()))
}

/** Everything whose yearly review is due, the longest ago first. */
async function reviewDue(S: StructureBuilder, { getClient }: StructureResolverContext) {
  const client = getClient({ apiVersion: API_VERSION }).withConfig({ perspective: 'drafts' })
  const startedOn = await client.fetch<string | null>('*[_type == "ngoList"] | order(year desc)[0].startedOn')
  return S.documentList()
    .id('review-due')
    .title('Review due')
    .apiVersion(API_VERSION)
    .filter(REVIEW_DUE)
    .params({ types: REVIEWED_TYPES, limit: reviewLimit(dayOf(new Date()), startedOn ?? undefined) })
    .defaultOrdering([{ field: 'reviewedAt', direction: 'asc' }])
    .canHandleIntent(() => false)
    .initialValueTemplates([])
}

type Icon = Parameters<ReturnType<StructureBuilder['listItem']>['icon']>[0]
type Ordering = Parameters<ReturnType<StructureBuilder['documentList']>['defaultOrdering']>[0]

const kind = (S: StructureBuilder, type: string, title: string, icon: Icon, ordering: Ordering) =>
  S.documentTypeListItem(type)
    .title(title)
    .icon(icon)
    .child(S.documentTypeList(type).title(title).defaultOrdering(ordering))

const single = (S: StructureBuilder, type: string, id: string, title: string) =>
  S.listItem()
    .id(id)
    .title(title)
    .schemaType(type)
    .child(S.document().schemaType(type).documentId(id).title(title))
