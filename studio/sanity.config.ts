import { defineConfig } from 'sanity'
import { structureTool } from 'sanity/structure'
import { schemaTypes } from './src/schemas/index.ts'
export default defineConfig({
  name: 'default',
  projectId: 'local',
  dataset: 'production',
  plugins: [structureTool()],
  schema: { types: schemaTypes },
})
