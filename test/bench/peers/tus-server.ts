/** Peer: @tus/server with its file store. Prints one JSON line when it listens. */
import { createServer } from 'node:http';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const [, , directory = ''] = process.argv;
const tus = new Server({ path: '/files', datastore: new FileStore({ directory }) });
const server = createServer((request, response) => void tus.handle(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(
    JSON.stringify({ url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/files` }),
  );
});
