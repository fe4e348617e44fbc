/** A screen of the try card's story: one script, since each costs a hash in the policy. */
import './try-card.script.ts'
import './story-page.script.ts'
