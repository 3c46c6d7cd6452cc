/** Preloaded into a process, it records in `CONNECTIONS_FILE` what the process connects to, one JSON line each. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const file = process.env['CONNECTIONS_FILE'];
const note = (what) => appendFileSync(file, `${JSON.stringify(what)}\n`);

/** Records the call and then runs it as usual. */
const spy = (owner, name, noted) => {
  const own = owner[name];
  owner[name] = function (...args) {
    const what = noted(args);
    if (what !== null) note(what);
    return own.apply(this, args);
  };
};

const placeOf = ([first, second]) => {
  const options = Array.isArray(first) ? first[0] : first;
  if (typeof options === 'string') return { socket: options };
  if (typeof options !== 'object')
    return { host: typeof second === 'string' ? second : 'localhost', port: Number(options) };
  return options.path === undefined || options.path === null
    ? { host: options.host ?? 'localhost', port: Number(options.port) }
    : { socket: options.path };
};

spy(net.Socket.prototype, 'connect', placeOf);
spy(dgram.Socket.prototype, 'send', () => ({ datagram: true }));
spy(dgram.Socket.prototype, 'connect', () => ({ datagram: true }));
const named = ([name]) => (net.isIP(name) ? null : { name });
for (const owner of [dns, dns.promises])
  for (const ask of ['lookup', 'resolve', 'resolve4', 'resolve6']) spy(owner, ask, named);
