/**
 * Listens on a pipe before Linkshot does, replies as if it had a secret, and prints what it receives: `pipe-listener.ts
 * PIPE`.
 */
import { createServer } from 'node:net';

const [pipe = ''] = process.argv.slice(2);
const wrong = JSON.stringify({ nonce: 'n'.repeat(43), proof: 'p'.repeat(43) });

createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (data) => {
    process.stdout.write(`heard ${data.toString()}`);
    socket.write(`${wrong}\n`);
  });
}).listen(pipe, () => process.stdout.write('listening\n'));
