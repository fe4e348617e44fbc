import { Button } from '@sanity/ui'
import { STUDIO_LOGIN_PATH } from '../product.ts'

/** Leads to the login of the operator, and back to where the Studio is now. */
export function LogIn() {
  const back = encodeURIComponent(globalThis.location.href)
  return (
    <Button as="a" href={`${STUDIO_LOGIN_PATH}?origin=${back}`} tone="primary" padding={4} text="Log in" />
  )
}
