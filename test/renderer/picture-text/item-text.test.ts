/** The store of the text of the published picture that the user reads. */
import { describe, expect, it } from 'vitest';
import { err, failure, ok, type Result } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import type { AppEvent } from '../../../src/ipc/protocol/command-table.ts';
import type { PictureContent } from '../../../src/ipc/protocol/vision.ts';
import { createItemText } from '../../../src/renderer/stores/published/item-text-recognition.ts';

const [ONE, TWO] = ['one' as ItemId, 'two' as ItemId];
const CONTENT: PictureContent = { text: 'Hello', words: [], codes: [], missing: [] };

const open = () => {
  const asked: { readonly command: string; readonly input: { readonly id?: ItemId; readonly reading: string } }[] = [];
  const answers: ((answer: Result<PictureContent>) => void)[] = [];
  let send = (_: AppEvent): void => {};
  const engine = {
    ask: (command: string, input: never) => {
      asked.push({ command, input });
      if (command === 'vision.stop') return Promise.resolve(ok({}));
      return new Promise((resolve) => answers.push(resolve));
    },
  };
  const transport = {
    on: (listener: (event: AppEvent) => void) => {
      send = listener;
      return () => {};
    },
  };
  const text = createItemText({ engine: engine as never, transport: transport as never });
  const readings = () => asked.filter(({ command }) => command === 'vision.readItem').map(({ input }) => input);
  const stopped = () => asked.filter(({ command }) => command === 'vision.stop').map(({ input }) => input.reading);
  return { text, answers, readings, stopped, emit: (event: AppEvent) => send(event) };
};

describe('the text of a published picture', () => {
  it('is read when the user asks, with its progress, and shown at once the next time', async () => {
    const { text, answers, readings, emit } = open();
    expect(text.store.getState()).toEqual({ state: 'off' });
    const shown = text.show(ONE);
    expect(text.store.getState()).toEqual({ state: 'reading', id: ONE, part: null });
    emit({ type: 'reading', reading: 'another one' as never, part: 0.9 });
    emit({ type: 'reading', reading: readings()[0]?.reading as never, part: 0.4 });
    expect(text.store.getState()).toEqual({ state: 'reading', id: ONE, part: 0.4 });
    answers[0]?.(ok(CONTENT));
    await shown;
    text.hide();
    await text.show(ONE);
    expect(text.store.getState()).toEqual({ state: 'read', id: ONE, content: CONTENT });
    expect(readings()).toHaveLength(1);
  });

  it('of a picture that the user left is stopped, and its late answer is not shown', async () => {
    const { text, answers, readings, stopped } = open();
    const first = text.show(ONE);
    const second = text.show(TWO);
    answers[0]?.(ok(CONTENT));
    await first;
    expect(text.store.getState()).toEqual({ state: 'reading', id: TWO, part: null });
    text.hide();
    answers[1]?.(err(failure('CANCELLED', 'Cancelled.')));
    await second;
    expect(text.store.getState()).toEqual({ state: 'off' });
    expect(stopped()).toEqual(readings().map(({ reading }) => reading));
  });

  it('that cannot be read is an error, and is read again when asked for', async () => {
    const { text, answers, readings } = open();
    const shown = text.show(ONE);
    const reason = failure('TEXT_NOT_READ', 'Too slow.');
    answers[0]?.(err(reason));
    await shown;
    expect(text.store.getState()).toEqual({ state: 'failed', id: ONE, failure: reason });
    void text.show(ONE);
    expect(readings()).toHaveLength(2);
  });
});
