import { LAST_DAY_PATH } from '#paths'
import { lastDayFile } from '#server/http/handlers/file-of-card.ts'

export const { POST, ALL } = lastDayFile(LAST_DAY_PATH)
