import type { WebSocket } from 'ws'
import { MOST_WAITING_BYTES } from './listen-socket.ts'
import type { User } from './model.ts'

/** Who is where in the Studio: nothing is kept, everything is passed on to the others. */
export interface Presence {
  join(socket: WebSocket, user: User): void
}

interface Member {
  readonly socket: WebSocket
  readonly user: User
  subscription: string | undefined
  session: string | undefined
}

type Params = Readonly<Record<string, unknown>>

const HEARTBEAT = '♥'
const HEARTBEAT_MS = 20_000

/**
 * Speaks the hosted presence service's JSON-RPC: `presence_subscribe` gives a subscription, and announcements,
 * roll calls and goodbyes of the others come as `presence_subscription`. A shape that the Studio does not expect
 * would end it, so nothing is passed on but these three.
 */
export function createPresence(newName: () => string): Presence {
  const members = new Set<Member>()

  function join(socket: WebSocket, user: User): void {
    const member: Member = { socket, user, subscription: undefined, session: undefined }
    members.add(member)
    const heartbeat = setInterval(() => socket.send(HEARTBEAT), HEARTBEAT_MS)
    heartbeat.unref()
    socket.on('message', data => receive(member, String(data)))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearInterval(heartbeat)
      members.delete(member)
      if (member.session) tellOthers(member, goodbye(member.user, member.session))
    })
  }

  function receive(member: Member, text: string): void {
    const call = parse(text)
    if (call === undefined) return
    const result = answer(member, call.method, call.params)
    member.socket.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }))
  }

  function answer(member: Member, method: string, params: Params): string {
    switch (method) {
      case 'presence_subscribe':
        member.subscription = newName()
        return member.subscription
      case 'presence_unsubscribe':
        member.subscription = undefined
        return 'ok'
      case 'presence_announce':
        announce(member, params.data as Params | undefined)
        return 'ok'
      case 'presence_rollcall':
        tellOthers(member, { type: 'rollCall', i: member.user.id, session: String(params.session ?? '') })
        return 'ok'
      case 'presence_disconnect':
        tellOthers(member, goodbye(member.user, String(params.session ?? member.session ?? '')))
        return 'ok'
      default:
        return 'ok'
    }
  }

  function announce(member: Member, data: Params | undefined): void {
    member.session = String(data?.sessionId ?? '')
    const locations = Array.isArray(data?.locations) ? data.locations : []
    tellOthers(member, { type: 'state', i: member.user.id, m: { sessionId: member.session, locations } })
  }

  function tellOthers(from: Member, result: object): void {
    for (const { socket, subscription } of members) {
      if (socket === from.socket || subscription === undefined) continue
      if (socket.bufferedAmount > MOST_WAITING_BYTES) {
        socket.terminate()
        continue
      }
      const params = { subscription, result }
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'presence_subscription', params }))
    }
  }

  return { join }
}

const goodbye = (user: User, session: string) => ({ type: 'disconnect', i: user.id, m: { session } })

function parse(text: string): { id: unknown; method: string; params: Params } | undefined {
  try {
    const { id, method, params } = JSON.parse(text) as { id?: unknown; method?: unknown; params?: unknown }
    if (typeof method !== 'string') return undefined
    return { id, method, params: typeof params === 'object' && params !== null ? (params as Params) : {} }
  } catch {
    return undefined
  }
}
