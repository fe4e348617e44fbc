/** The screens behind the story that hold the thanks, or may come to: one script, since each costs a hash in the policy. */
import '#screens/shared/answer/tell.script.ts'
import './end.script.ts'
