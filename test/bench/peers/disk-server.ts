/** Peer for `curl -T`: pipes the body of a PUT to disk and answers; no checks, no durability. The floor of the machine. */
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const [, , directory = ''] = process.argv;
const server = createServer((request, response) => {
  pipeline(request, createWriteStream(join(directory, 'upload.bin'))).then(
    () => response.end('ok'),
    () => response.destroy(),
  );
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(
    JSON.stringify({ url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/` }),
  );
});
