/** Drags real files from disk onto the window through Chromium's own drag input. */
import type { Page } from '@playwright/test';
import { untilListening } from '../support/browser/until-listening.ts';

export const dropFiles = async (page: Page, ...files: readonly string[]): Promise<void> => {
  await untilListening(page);
  const session = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? { width: 800, height: 600 };
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
  await session.detach();
};
