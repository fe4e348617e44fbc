/** `npm run build`: builds what `npm start` would build. It notes its sources, so the start need not build again. */
import { buildWhenNeeded } from './build.ts'

await buildWhenNeeded(process.cwd())
