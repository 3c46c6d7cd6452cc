/**
 * `npm run bench:share-page`: from the click on a link to the first paint of its share page, in Chromium with its processor
 * throttled four times. Writes docs/benchmarks.md.
 */
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
  const firstPaint = async (id: string): Promise<number> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    try {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLED });
      await page.goto(`${server.url}/s/${id}`);
      const painted = await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
      return (await painted.jsonValue()) ?? Number.NaN;
    } finally {
      await context.close();
    }
  };

  const rows: string[][] = [];
  for (const [name, id] of [
    ['Picture', picture.id],
    ['Note of 300 lines of code', note.body.id],
    ['Folder of 201 files', folder.body.id],
  ] as const) {
    await firstPaint(id);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await firstPaint(id));
    rows.push([name, ...[median(times), percentile(times, 0.95), Math.max(...times)].map((ms) => ms.toFixed(0))]);
  }
  writeSection(
    'share-page',
    `${ROUNDS} first visits of each after one that is not counted, processor throttled ${THROTTLED} times.\n\n${table(['First contentful paint, ms', 'p50', 'p95', 'longest'], rows)}`,
  );
} finally {
  await browser.close();
  await server.stop();
}
