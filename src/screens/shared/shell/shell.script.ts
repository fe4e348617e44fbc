/** What every page carries that is no buyer's. */
import settled from './settled.ts?own-file'
import { later } from './shell.ts'

later(settled)
