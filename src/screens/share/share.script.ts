import { showShareControls } from '#screens/shared/share/share.ts'

showShareControls(document)
