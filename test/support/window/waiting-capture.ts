/** Shows the queue with a capture that waits until the user has looked at it. */
import type { Page } from 'playwright-core';

/** Of the item, and of its capture in the editor of the tests. */
export const WAITING = '00000000-0000-4000-8000-000000000003';

export const showWaitingCapture = (page: Page, rule: 'ask' | 'require'): Promise<void> =>
  page.evaluate((checkBeforeUpload) => {
    const { double, make } = window;
    const at = { x: 40, y: 60, width: 160, height: 30, confidence: 90 };
    const found = [
      { kind: 'email', ...at },
      { kind: 'card', ...at, y: 120 },
    ] as const;
    double.answer('vision.findSecrets', () => ({ found: [...found], missing: [] }));
    double.answer('capture.finish', () => {
      double.set({ capture: null });
      return { item: null };
    });
    const failure = { code: 'SECRETS_FOUND', detail: '', params: { count: 2, rule: checkBeforeUpload } } as const;
    const item = make.makeItem('queued', 3, {
      name: 'Screenshot 2026-11-20 12.00.00.png',
      origin: 'capture',
      share: { visibility: 'private' },
      error: { failure, since: make.NOON, retryAt: null },
    });
    double.set({
      settings: { ...double.state().settings, checkBeforeUpload },
      connection: make.connected(),
      notices: [],
      queue: { items: [item], live: {}, paused: false },
    });
    location.hash = '#home';
  }, rule);
