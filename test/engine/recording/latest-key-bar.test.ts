/** Which bar of keys is on the screen while presses follow each other faster than bars appear. */
import { expect, it } from 'vitest';
import { createLatestBar } from '../../../src/engine/recording/input-display/show-keys.ts';

it('the bar of the latest press stays, also where an older one appears after it', async () => {
  const onScreen: string[] = [];
  const appear = new Map<string, () => void>();
  const begun = new Map<string, () => void>();
  const isBegun = (name: string) => new Promise<void>((resolve) => begun.set(name, resolve));
  const rest = Promise.withResolvers<void>();
  const bar = createLatestBar(
    async ([name = '']) =>
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        appear.set(name, resolve);
        begun.get(name)?.();
        await promise;
        onScreen.push(name);
        return async () => void onScreen.splice(onScreen.indexOf(name), 1);
      },
    () => rest.promise,
  );
  const press = async (name: string) => {
    const reached = isBegun(name);
    const gone = bar([name]);
    await reached;
    return { gone };
  };
  const first = await press('A');
  appear.get('A')?.();
  await expect.poll(() => onScreen).toEqual(['A']);
  const second = await press('B');
  // The same keys as those that are still shown.
  const third = bar(['A']);
  appear.get('B')?.();
  await second.gone;
  expect(onScreen).toEqual(['A']);
  rest.resolve();
  await Promise.all([first.gone, third]);
  expect(onScreen).toEqual([]);
});
