/** A recipient's form that came back: what was wrong is said no longer than until it is mended, nor in the title. */
import { watchErrors } from './error-title.ts'
import { takeBackMended } from './take-back.ts'

watchErrors()
takeBackMended()
