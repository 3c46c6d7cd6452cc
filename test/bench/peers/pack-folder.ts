/** Packs a folder as the app does, so many times, and prints how long each took and the peak of memory, as one line of JSON. */
import { readFileSync } from 'node:fs';
import { prepareFolder } from '../../support/folder/packed-folder.ts';

const [root = '', spool = '', rounds = '1'] = process.argv.slice(2);
const peakMib = (): number => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

const before = peakMib();
const seconds: number[] = [];
let outcome = '';
for (let round = 0; round < Number(rounds); round += 1) {
  const start = performance.now();
  const packed = await prepareFolder({ root, home: spool, spool });
  seconds.push((performance.now() - start) / 1_000);
  outcome = packed.ok ? `${packed.value?.size} bytes` : packed.error.code;
}
console.log(JSON.stringify({ seconds, before, peak: peakMib(), outcome }));
