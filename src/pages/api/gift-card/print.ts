import { PRINT_PATH } from '#paths'
import { printSheet } from '#server/http/handlers/print-sheet.ts'

export const { POST, ALL } = printSheet(PRINT_PATH)
