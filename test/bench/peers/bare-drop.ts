/**
 * `bare-drop.ts FILE`: a page and a Fastify route that does nothing but write the body of a PUT to FILE and sync it. Says where it
 * listens as a line of JSON.
 */
import { open } from 'node:fs/promises';
import Fastify from 'fastify';

const path = process.argv[2] ?? '';
const app = Fastify({ bodyLimit: 64 * 1024 * 1024 });
app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
app.get('/', async (_, reply) => reply.type('text/html').send('<!doctype html><main><h1>Bare</h1></main>'));
app.put('/', async (request) => {
  const file = await open(path, 'w');
  await file.writeFile(request.body as Buffer);
  await file.sync();
  await file.close();
  return { url: 'http://link/' };
});
console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }));
process.once('SIGTERM', () => void app.close());
