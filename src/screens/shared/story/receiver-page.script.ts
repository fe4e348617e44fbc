/** What every recipient's page does: it leads on like a story, and asks about statistics once. */
import '#screens/shared/consent/consent-bar.script.ts'
import './story.script.ts'
