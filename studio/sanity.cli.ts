import { defineCliConfig } from 'sanity/cli'
import { noForeignHosts } from './build/no-foreign-hosts.ts'
import { ownAddress } from './build/own-address.ts'

const projectId = process.env.SANITY_STUDIO_PROJECT_ID ?? ''
const dataset = process.env.SANITY_STUDIO_DATASET ?? ''
const basePath = (process.env.SANITY_STUDIO_BASEPATH ?? '').replace(/\/+$/, '')

/**
 * The address that the Studio is served under comes from SANITY_STUDIO_BASEPATH, and from there only: the two
 * places that can name it add up.
 */
export default defineCliConfig({
  api: { projectId: projectId || 'local', dataset: dataset || 'production' },
  // The versions in the lockfile are the ones that were tested.
  deployment: { autoUpdates: false },
  vite: {
    define: {
      'process.env.SANITY_STUDIO_PROJECT_ID': JSON.stringify(projectId),
      'process.env.SANITY_STUDIO_DATASET': JSON.stringify(dataset),
    },
    plugins: [ownAddress(basePath), ...(projectId === '' ? [noForeignHosts()] : [])],
  },
})
