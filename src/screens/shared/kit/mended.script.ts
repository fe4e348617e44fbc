/** A recipient's form that came back: what is wrong with a field is said no longer than until it is mended. */
import { watchErrors } from './error-title.ts'
import { takeBackMended } from './take-back.ts'

watchErrors()
takeBackMended()
