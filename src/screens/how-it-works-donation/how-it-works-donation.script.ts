/** A page of text on both ways: Back may bring it out of the browser's memory after the way has changed. */
import { showWay } from '#screens/shared/flow/show-way.ts'

addEventListener('pageshow', showWay)
