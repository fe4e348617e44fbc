import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#tests/support/product/product.ts'
import { type Reference, startReference } from './reference.ts'

const NGINX = '/usr/sbin/nginx'

/** Serves one page with Debian's nginx, one worker; without nginx, out of the memory of a small Node process. */
export async function startBareServer(html: string): Promise<Reference> {
  return existsSync(NGINX) ? startNginx(html) : startReference({ '/': html })
}

async function startNginx(html: string): Promise<Reference> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-nginx-'))
  const port = await freePort()
  mkdirSync(join(folder, 'www'))
  writeFileSync(join(folder, 'www/index.html'), html)
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port))
  const master = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const gone = once(master, 'exit')
  const url = `http://127.0.0.1:${port}`
  await answers(url)
  return {
    name: 'nginx',
    url,
    // The master only watches; its one worker does the work.
    pid: Number(readFileSync(`/proc/${master.pid}/task/${master.pid}/children`, 'utf8').trim()),
    async stop() {
      master.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const configuration = (folder: string, port: number): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/errors;
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  types { text/html html; }
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${folder}/www; }
}
`

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await pause(50)
  }
  throw new Error('nginx did not start')
}
