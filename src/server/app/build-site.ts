/** `npm run build`: what `npm start` would build, marked as built from these sources, so that the start finds it done. */
import { buildWhenNeeded } from './build.ts'

await buildWhenNeeded(process.cwd())
