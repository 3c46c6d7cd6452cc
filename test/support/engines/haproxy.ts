/** HAProxy in front of several nodes: each request goes to the next node, so nothing depends on where one ends. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { accepts, startDaemon } from './daemon.ts';

const HAPROXY = '/usr/sbin/haproxy';

/** Why this machine cannot run HAProxy; null: it can. */
export const whyNoHaproxy = (): string | null =>
  existsSync(HAPROXY) ? null : 'HAProxy is not installed (scripts/provision engines)';

interface Haproxy {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

const serversOf = (nodePorts: readonly number[]): string =>
  nodePorts.map((nodePort, index) => `  server node${index + 1} 127.0.0.1:${nodePort}`).join('\n');

/** As `deploy/haproxy.cfg`; `/haproxy` is 200 while a node is ready, and a node that only pauses is alive. */
const configuration = (port: number, nodePorts: readonly number[]): string => `global
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 300s
  timeout http-request 30s
  option http-server-close
  option redispatch
  retries 3
  retry-on conn-failure
frontend linkshot
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto http
  monitor-uri /haproxy
  monitor fail if { nbsrv(nodes) eq 0 }
  use_backend living_nodes if { nbsrv(nodes) eq 0 }
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 1
${serversOf(nodePorts)}
backend living_nodes
  balance roundrobin
  timeout check 60s
  option httpchk GET /livez
  default-server check inter 1s fall 2 rise 1
${serversOf(nodePorts)}
`;

export const startHaproxy = async (
  nodePorts: readonly number[],
  { port: wished = 0 }: { readonly port?: number } = {},
): Promise<Haproxy> => {
  const whyNot = whyNoHaproxy();
  if (whyNot !== null) throw new Error(`${whyNot}.`);
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const port = wished === 0 ? await freePort() : wished;
  const path = join(folder, 'haproxy.cfg');
  writeFileSync(path, configuration(port, nodePorts));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const daemon = await startDaemon([HAPROXY, '-db', '-f', path], () => accepts(port));
    return {
      port,
      url: `http://127.0.0.1:${port}`,
      stop: async () => {
        await daemon.kill();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
};
