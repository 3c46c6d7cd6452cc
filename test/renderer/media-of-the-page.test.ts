/** A player that jumps leaves the range that it was reading: the server of the test pages closes the file. */
import { truncateSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFiles } from '../support/process-state.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startRendererPages } from '../support/window/renderer-page.ts';

it('a recording whose reader leaves is closed', async () => {
  const recording = join(temporaryFolder('media-of-the-page'), 'recording.mp4');
  writeFileSync(recording, '');
  // More than the buffers of a connection hold.
  truncateSync(recording, 256 * 1024 * 1024);
  const pages = await startRendererPages({ recording });
  const { page } = await pages.open();
  const { origin } = new URL(page.url());
  const answer = await new Promise<IncomingMessage>((resolve) => get(`${origin}/recordings/one`, resolve));
  await expect.poll(openFiles).toContain(recording);
  answer.destroy();
  await expect.poll(openFiles).not.toContain(recording);
  await page.context().close();
  await pages.close();
});
