import { PRINT_PATH } from '#paths'
import { printSheet } from '#server/http/handlers/file-of-card.ts'

export const { POST, ALL } = printSheet(PRINT_PATH)
