/** Scenes of the open error list: short, long and many messages, and all kinds of file names. */
import type { Page } from 'playwright-core';

type Scene = (page: Page) => Promise<void>;

const LONG_NAMES = [
  `Recording of the planning meeting with everybody in it ${'and the questions that followed '.repeat(6)}(2).mp4`,
  `${'a-name-without-a-single-space_'.repeat(8)}final.png`,
  `Снимок экрана из отчёта ${'за третий квартал с правками '.repeat(8)}— копия.webp`,
];

export const MESSAGE_SCENES: Readonly<Record<string, Scene>> = {
  messages: async (page) => {
    await page.evaluate((longNames) => {
      const { make, double } = window;
      const codes = ['VIDEO_NOT_SUITABLE', 'QUOTA_EXCEEDED', 'SOURCE_MISSING'] as const;
      const named = [...longNames, ...Array.from({ length: 30 }, (_, number) => `Picture ${number}.png`)];
      const path = `/home/mira/Pictures/${'a-folder-in-a-folder/'.repeat(12)}picture.png`;
      const failures = [
        { code: 'DISK_FULL', detail: 'ENOSPC' } as const,
        ...named.map((name, index) => ({
          code: codes[index % codes.length] ?? 'SOURCE_MISSING',
          detail: `${index}: ENOENT ${path}`,
          params: { name },
        })),
      ];
      const problems = failures.map((failure, index) => ({
        id: failures.length - index,
        failure,
        at: make.NOON - index * 3_600_000,
        times: index === 1 ? 12 : 1,
      }));
      double.emit({ type: 'problems', problems });
    }, LONG_NAMES);
    await page.getByRole('button', { name: /^(Messages|Сообщения)[,:] / }).click();
    const list = page.getByRole('dialog');
    await list.getByRole('listitem').nth(33).waitFor();
    // The details contain the full name again.
    await list.locator('summary').nth(1).click();
  },
};

/** Closes the list, too. */
export const takeMessagesAway: Scene = async (page) => {
  await page.evaluate(() => window.double.emit({ type: 'problems', problems: [] }));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};
