/**
 * The list of organisations: who has been here knows what stands behind the packages' links to it
 * (product.md#packages).
 */

import { showWay } from '#screens/shared/flow/show-way.ts'
import { ngoListVisited } from '#screens/shared/visitor/visit-flags.store.ts'

ngoListVisited.set(true)
addEventListener('pageshow', showWay)
