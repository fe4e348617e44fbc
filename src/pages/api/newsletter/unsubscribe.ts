import { ONE_CLICK_PATH } from '#paths'
import { oneClick } from '#server/http/handlers/one-click.ts'

export const { GET, POST, ALL } = oneClick(ONE_CLICK_PATH)
