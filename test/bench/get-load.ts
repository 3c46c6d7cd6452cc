/** Asks one address over and over on kept connections. Bare sockets, so that the client costs as little as it can. */
import { connect, type Socket } from 'node:net';

/**
 * Sends `GET url`, or a POST without a body, over `connections` for `milliseconds`; resolves with the number of answers. Any
 * status but 200 rejects.
 */
export const getLoad = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  {
    connections,
    milliseconds,
    method = 'GET',
  }: { readonly connections: number; readonly milliseconds: number; readonly method?: 'GET' | 'POST' },
): Promise<number> => {
  const { hostname, port, pathname, host } = new URL(url);
  const bodyHeaders = method === 'POST' ? { 'content-length': '0' } : {};
  const lines = Object.entries({ host, ...bodyHeaders, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`${method} ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const end = performance.now() + milliseconds;
  let answers = 0;
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket: Socket = connect(Number(port), hostname, () => socket.write(request));
          let text = '';
          socket.setEncoding('latin1').on('data', (chunk: string) => {
            text += chunk;
            const head = text.indexOf('\r\n\r\n');
            if (head < 0) return;
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
            if (text.length < head + 4 + length) return;
            if (!text.startsWith('HTTP/1.1 200')) reject(new Error(text));
            answers += 1;
            text = '';
            if (performance.now() < end) socket.write(request);
            else socket.end(() => resolve());
          });
          socket.on('error', reject);
        }),
    ),
  );
  return answers;
};
