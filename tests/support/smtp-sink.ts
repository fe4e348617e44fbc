import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A mail that the sink took. */
export interface SunkMail {
  readonly from: string
  readonly to: readonly string[]
  /** Header and body as sent, dots unstuffed. */
  readonly data: string
}

export interface SmtpSink {
  readonly url: string
  readonly port: number
  readonly mails: readonly SunkMail[]
  /** The first word of every command, also of those that it does not know. */
  readonly heard: readonly string[]
  /**
   * What it answers to the next recipients, instead of taking them (`550 5.1.1 no such mailbox`).
   * @param only this recipient; all of them when missing
   */
  refuseRecipients(reply: string | undefined, only?: string): void
  /** Takes the next mail and hangs up instead of saying so, as a server that is cut off at the worst moment. */
  hangUpAfterNextMail(): void
  close(): Promise<void>
}

/** A mail server that keeps what it is given: as much of SMTP as one client needs. */
export async function startSmtpSink(port = 0): Promise<SmtpSink> {
  const mails: SunkMail[] = []
  const heard: string[] = []
  const sockets = new Set<Socket>()
  let refusal: { readonly reply: string | undefined; readonly only: string | undefined } | undefined
  let hangsUp = false

  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    let from = ''
    let to: string[] = []
    let body: string[] | undefined
    const say = (line: string) => socket.write(`${line}\r\n`)

    function take(line: string): void {
      if (body !== undefined) {
        takeBody(body, line)
        return
      }
      const word = /^\w*/.exec(line.toUpperCase())?.[0] ?? ''
      heard.push(word)
      if (word === 'EHLO' || word === 'HELO') say('250 sink')
      else if (word === 'MAIL') {
        from = /<(.*?)>/.exec(line)?.[1] ?? ''
        to = []
        say('250 OK')
      } else if (word === 'RCPT') {
        const recipient = /<(.*?)>/.exec(line)?.[1] ?? ''
        const isMeant = refusal?.only === undefined || refusal.only === recipient
        const refused = isMeant ? refusal?.reply : undefined
        if (refused === undefined) to.push(recipient)
        say(refused ?? '250 OK')
      } else if (word === 'DATA') {
        body = []
        say('354 Go on')
      } else if (word === 'QUIT') socket.end('221 Bye\r\n')
      else say('502 5.5.1 Not here')
    }

    function takeBody(lines: string[], line: string): void {
      if (line !== '.') {
        lines.push(line.startsWith('.') ? line.slice(1) : line)
        return
      }
      mails.push({ from, to, data: lines.join('\r\n') })
      body = undefined
      if (hangsUp) socket.destroy()
      else say('250 Taken')
      hangsUp = false
    }

    let rest = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
    })
    say('220 sink')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port

  return {
    url: `smtp://127.0.0.1:${taken}`,
    port: taken,
    mails,
    heard,
    refuseRecipients(reply, only) {
      refusal = { reply, only }
    },
    hangUpAfterNextMail() {
      hangsUp = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
