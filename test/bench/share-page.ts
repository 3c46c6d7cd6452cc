/**
 * `npm run bench:share-page`: from the click on a link to the first paint of its share page, beside that of a page of one
 * line, in Chromium with its processor throttled four times. Writes docs/benchmarks.md.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { HEADLESS } from '../support/browser/chromium.ts';
import { zipOf } from '../support/folder/forge-zip.ts';
import { publish } from '../support/server/items.ts';
import { startServer } from '../support/server/server.ts';
import { ask } from '../support/server/service-client.ts';
import { sendFile } from '../support/server/single-request-upload.ts';
import { median, percentile, roundsOf, table, writeSection } from './report.ts';

const ROUNDS = roundsOf(15, 5);
const THROTTLED = 4;
const CODE = 'export const add = (a: number, b: number): number => a + b; // a sum\n'.repeat(300);

const server = await startServer({
  config: { limits: { requestsPerMinute: 100_000, guestRequestsPerMinute: 100_000 } },
});
const bare = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html><title>Bare</title><p>One line.');
}).listen(0, '127.0.0.1');
await once(bare, 'listening');
const browser = await chromium.launch(HEADLESS);
try {
  const owner = await server.user({ plan: 'pro' });
  const open = { visibility: 'unlisted' } as const;
  const picture = await publish(server, owner, { ...open, title: 'A meadow' });
  const note = await ask<{ id: string }>(server.url, {
    ...{ method: 'POST', path: '/api/v1/pastes', key: owner.apiKey },
    body: { ...open, text: CODE, format: 'code', language: 'typescript' },
  });
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`src/part ${index}.ts`, CODE]));
  const folder = await sendFile(server.url, {
    ...{ path: '/api/v1/folders', filename: 'project.zip', key: owner.apiKey },
    ...{ bytes: zipOf({ ...files, 'README.md': '# Project\n' }), fields: open },
  });

  /** Milliseconds from the start of the navigation, with an empty cache. */
  const firstPaint = async (address: string): Promise<number> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    try {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLED });
      await page.goto(address);
      const painted = await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
      return (await painted.jsonValue()) ?? Number.NaN;
    } finally {
      await context.close();
    }
  };

  const pages = [
    ['A page of one line', `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`],
    ['Picture', `${server.url}/s/${picture.id}`],
    ['Note of 300 lines of code', `${server.url}/s/${note.body.id}`],
    ['Folder of 201 files', `${server.url}/s/${folder.body.id}`],
  ] as const;
  const times = pages.map((): number[] => []);
  // The first round is not counted.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [index, [, address]] of pages.entries()) {
      const time = await firstPaint(address);
      if (round > 0) times[index]?.push(time);
    }
  const rows = pages.map(([name], index) => {
    const own = times[index] ?? [];
    const ratio = median(own.map((time, round) => time / (times[0]?.[round] ?? Number.NaN)));
    return [
      name,
      ...[median(own), percentile(own, 0.95), Math.max(...own)].map((ms) => ms.toFixed(0)),
      ratio.toFixed(2),
    ];
  });
  writeSection(
    'share-page',
    `${ROUNDS} first visits of each in turns, processor throttled ${THROTTLED} times.\n\n${table(['First contentful paint, ms', 'p50', 'p95', 'longest', 'Of the page of one line'], rows)}`,
  );
} finally {
  await browser.close();
  bare.close();
  await server.stop();
}
