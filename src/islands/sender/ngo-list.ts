/**
 * The list of organisations: who has been here knows what stands behind the packages' links to it
 * (product.md#packages).
 */
import { $ngoListVisited } from '#stores/visits.ts'
import { showWay } from './show-way.ts'

$ngoListVisited.set(true)
addEventListener('pageshow', showWay)
