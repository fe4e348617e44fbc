/**
 * Loaded before a server that runs with accounts: the services behind them are on this machine, where SERVICE_PORTS
 * names them (JSON, `{ "api.example.com": 4000 }`), or away. Nobody else is ever called.
 */
import { syncBuiltinESMExports } from 'node:module'
import { connect, Socket } from 'node:net'
import tls from 'node:tls'

const ports = JSON.parse(process.env.SERVICE_PORTS || '{}') as Readonly<Record<string, number>>

/** In the place of an encrypted connection, a plain one to the service's stand-in. */
function connectHere(
  { host, servername }: { host?: string; servername?: string },
  ready?: () => void,
): Socket {
  const port = ports[host ?? servername ?? '']
  if (port === undefined)
    return new Socket().destroy(Object.assign(new Error('it is away'), { code: 'ENETUNREACH' }))
  const socket = connect({ host: '127.0.0.1', port })
  if (ready) socket.once('secureConnect', ready)
  return socket.once('connect', () => socket.emit('secureConnect'))
}

Object.assign(tls, { connect: connectHere })
syncBuiltinESMExports()
