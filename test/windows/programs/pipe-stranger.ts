/** Connects to a pipe, sends the words one line at a time, and prints the replies: `pipe-stranger.ts PIPE LINE...`. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [pipe = '', ...lines] = process.argv.slice(2);
const PATIENCE_MS = 2_000;

const socket = connect(pipe);
socket.on('error', () => {});
socket.on('data', (data) => process.stdout.write(`heard ${data.toString()}`));
socket.on('connect', () => process.stdout.write('connected\n'));
socket.on('close', () => process.exit(0));
for (const line of lines) {
  socket.write(`${line}\n`);
  await sleep(PATIENCE_MS / 4);
}
await sleep(PATIENCE_MS);
process.exit(0);
