import { visionTool } from '@sanity/vision'
import { defineConfig } from 'sanity'
import { presentationTool } from 'sanity/presentation'
import { structureTool } from 'sanity/structure'
import { documentActions, documentBadges } from './src/actions/index.ts'
import { dataset, projectId } from './src/environment.ts'
import { localSource } from './src/local/source.ts'
import { operations } from './src/operations/tool.ts'
import { preview } from './src/preview/preview.ts'
import { schemaTypes } from './src/schemas/index.ts'
import { withHome } from './src/structure/Home.tsx'
import { SINGLETON_TYPES } from './src/structure/singletons.ts'
import { structure } from './src/structure/structure.ts'
import { emptyLists, uploads } from './src/structure/words.ts'

const off = { enabled: false }

export default defineConfig({
  name: 'default',
  title: 'Gift cards that give',
  projectId,
  dataset,
  // Asked here, where the build sees the answer: for a hosted project the local code is left out.
  ...(process.env.SANITY_STUDIO_PROJECT_ID ? {} : localSource()),
  plugins: [
    structureTool({ title: 'Content', structure }),
    presentationTool(preview),
    visionTool({ title: 'Queries', defaultApiVersion: '2026-05-04' }),
  ],
  tools: standard => [
    ...standard.map(tool => (tool.name === 'structure' ? withHome(tool) : tool)),
    operations,
  ],
  i18n: { bundles: [emptyLists, uploads] },
  schema: { types: schemaTypes },
  document: {
    actions: documentActions,
    badges: documentBadges,
    comments: off,
    newDocumentOptions: given => given.filter(({ templateId }) => !SINGLETON_TYPES.has(templateId)),
  },
  // For teams of editors on a paid plan: without them the menus say only what works here.
  announcements: off,
  mediaLibrary: off,
  releases: off,
  scheduledDrafts: off,
  scheduledPublishing: off,
  tasks: off,
})
