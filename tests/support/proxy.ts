import { connect, createServer, type ListenOptions, type NetConnectOpts, type Socket } from 'node:net'

/** Stands between a program and a server, and can fall silent without closing anything, be slow, or be gone. */
export interface LineProxy {
  /** From now on nothing that either side says arrives. */
  hang(): void
  /** From now on everything that the far side says arrives so much later. */
  slowDown(ms: number): void
  /**
   * Where a connection has brought these words, its next commit arrives, and breaks the connection before the answer to it
   * does. Once.
   */
  loseCommitOf(words: string): void
  /** From now on every connection breaks at once. */
  cutOff(): void
  /** New connections work again; the old ones are lost. */
  goOn(): void
  stop(): void
}

/** @param listenAt where the program looks for the server; @param target where the server is */
export async function startProxy(listenAt: ListenOptions, target: NetConnectOpts): Promise<LineProxy> {
  const sockets = new Set<Socket>()
  let hangs = false
  let isGone = false
  let delayMs = 0
  let wanted: string | undefined
  const loseAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer(near => {
    if (isGone) return void near.destroy()
    const far = connect(target)
    let isWanted = false
    let isLost = false
    /** Does this bring the commit whose answer is to be lost? */
    const listen = (bytes: Buffer): void => {
      if (wanted === undefined) return
      isWanted ||= bytes.includes(wanted)
      isLost ||= isWanted && bytes.includes('commit')
    }
    const pass = (from: Socket, to: Socket, isAnswer: boolean) => {
      sockets.add(from)
      from.on('data', bytes => {
        if (hangs) return
        if (isAnswer && isLost) {
          wanted = undefined
          from.destroy()
          return
        }
        if (!isAnswer) listen(bytes)
        if (isAnswer && delayMs > 0) setTimeout(() => to.destroyed || to.write(bytes), delayMs).unref()
        else to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    pass(near, far, false)
    pass(far, near, true)
  })
  await new Promise<void>(resolve => server.listen(listenAt, resolve))
  return {
    hang() {
      hangs = true
    },
    slowDown(ms) {
      delayMs = ms
    },
    loseCommitOf(words) {
      wanted = words
    },
    cutOff() {
      isGone = true
      loseAll()
    },
    goOn() {
      loseAll()
      hangs = false
      isGone = false
      delayMs = 0
    },
    stop() {
      loseAll()
      server.close()
    },
  }
}
