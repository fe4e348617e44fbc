/** What every screen of a story does: it leads on, and the first one asks about statistics. */
import '#screens/shared/consent/consent-bar.script.ts'
import './story.script.ts'
