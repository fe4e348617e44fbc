import type { SchemaTypeDefinition } from 'sanity'
import { adCampaign } from './ad-campaign.ts'
import { freeCampaign } from './free-campaign.ts'
import { giftPackage } from './gift-package.ts'
import { invitationPackage } from './invitation-package.ts'
import { memorialPhoto } from './memorial-photo.ts'
import { mission } from './mission.ts'
import { ngo } from './ngo.ts'
import { ngoList } from './ngo-list.ts'
import { page } from './page.ts'
import { settings } from './settings.ts'
import { theme } from './theme.ts'
import { volunteeringOrganisation } from './volunteering-organisation.ts'

/** Every kind of document there is. */
export const schemaTypes: SchemaTypeDefinition[] = [
  ngo,
  ngoList,
  mission,
  volunteeringOrganisation,
  memorialPhoto,
  giftPackage,
  invitationPackage,
  page,
  freeCampaign,
  adCampaign,
  theme,
  settings,
]
