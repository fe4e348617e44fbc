import { dressShare } from './share.ts'

dressShare(document)
