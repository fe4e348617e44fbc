import { dressShare } from '#screens/shared/share/share.ts'

dressShare(document)
