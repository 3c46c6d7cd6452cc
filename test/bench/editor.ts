/**
 * `npm run bench:editor`: how long the editor takes to open a large picture and to export it with marks, how long the page
 * is blocked meanwhile, and how much memory it uses. Writes docs/benchmarks.md.
 */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Command } from '../../src/renderer/drawing/document.ts';
import { noise, pngOf } from '../support/media/pixels.ts';
import { type EditorKit, startEditorKit } from '../support/window/editor-kit.ts';
import { median, table, writeSection } from './report.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SIZES = [
  [3_840, 2_160],
  [7_680, 5_208],
  [16_384, 8_192],
] as const;

const COMMANDS: readonly Command[] = [
  {
    type: 'add',
    mark: {
      kind: 'redaction',
      box: { x: 100, y: 100, width: 900, height: 400 },
      look: 'mosaic',
      seed: 1,
      colour: '#16181d',
    },
  },
  {
    type: 'add',
    mark: { kind: 'arrow', from: { x: 50, y: 50 }, to: { x: 3_000, y: 2_000 }, width: 20, colour: '#e5322d' },
  },
];

/** A picture that is no harder and no easier to pack than a screen: pages of blurred noise, side by side. */
const screenLike = async (width: number, height: number): Promise<Buffer> => {
  const tile = await sharp(await pngOf(noise(40, 30, 1)))
    .resize(1_280, 960, { kernel: 'nearest' })
    .png()
    .toBuffer();
  const ground = { width, height, channels: 3, background: '#fff' } as const;
  return sharp({ create: ground })
    .composite([{ input: tile, tile: true, left: 0, top: 0 }])
    .png()
    .toBuffer();
};

/** The largest memory that a process of a page has had, in MiB. */
const peakMemory = async ({ browser }: EditorKit): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0));
  return Math.max(...peaks) / 1024;
};

interface Round {
  readonly open: number;
  readonly export: number;
  readonly still: number;
  readonly bytes: number;
}

const measure = async (png: Buffer): Promise<{ readonly rounds: readonly Round[]; readonly memory: number }> => {
  const kit = await startEditorKit();
  try {
    const page = await kit.page(1);
    await page.route('http://picture/', (route) =>
      route.fulfill({ body: png, contentType: 'image/png', headers: { 'access-control-allow-origin': '*' } }),
    );
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(
        await page.evaluate(
          async ({ deeds }) => {
            const { apply, emptyDocument, exportPicture, loadOriginal } = window.kit;
            const begun = performance.now();
            const original = await loadOriginal('http://picture/', new AbortController().signal);
            if (!original) throw new Error('The picture cannot be read.');
            const opened = performance.now();
            let still = 0;
            let last = opened;
            const pulse = setInterval(() => {
              still = Math.max(still, performance.now() - last);
              last = performance.now();
            }, 4);
            const { width, height } = original;
            const blob = await exportPicture(original, deeds.reduce(apply, emptyDocument({ width, height })));
            const exported = performance.now();
            clearInterval(pulse);
            original.close();
            return { open: opened - begun, export: exported - opened, still, bytes: blob.size };
          },
          { deeds: [...COMMANDS] },
        ),
      );
    return { rounds, memory: await peakMemory(kit) };
  } finally {
    await kit.close();
  }
};

const rows: string[][] = [];
for (const [width, height] of SIZES) {
  const { rounds, memory } = await measure(await screenLike(width, height));
  const middle = (of: (round: Round) => number) => median(rounds.map(of)).toFixed(0);
  rows.push([
    `${width} x ${height} (${((width * height) / 1e6).toFixed(0)} MP)`,
    ...[middle((round) => round.open), middle((round) => round.export), middle((round) => round.still)],
    memory.toFixed(0),
  ]);
}
const head = ['Picture', 'open, ms', 'export, ms', 'longest standstill, ms', 'peak of the page, MiB'];
writeSection('editor', `Medians of ${ROUNDS} rounds.\n\n${table(head, rows)}`);
