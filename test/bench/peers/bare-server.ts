/** `bare-server.ts FILE`: a Fastify route that does nothing but answer the JSON of FILE. Says where it listens as a line of JSON. */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const answer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as unknown;
const app = Fastify();
app.get('/', async () => answer);
console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }));
process.once('SIGTERM', () => void app.close());
