/** How many bodies are on their way to a store at once. */
import { expect, it } from 'vitest';
import { createSendWindow } from '../../../src/server/storage/send-window.ts';

const TIME_OUT = new Error('time-out');

/** Sends `count` bodies, each of which ends when a test says so. */
const send = (window: ReturnType<typeof createSendWindow>, count: number) => {
  const sent: PromiseWithResolvers<void>[] = [];
  const ends = Array.from({ length: count }, () =>
    window.run(
      () => {
        const body = Promise.withResolvers<void>();
        sent.push(body);
        return body.promise;
      },
      (error) => error === TIME_OUT,
    ),
  );
  return { sent, ended: Promise.allSettled(ends) };
};
/** All that follows of what has ended has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('half as many bodies are sent after time-outs, and one more after each success', async () => {
  const { sent, ended } = send(createSendWindow(8), 21);
  await settled();
  expect(sent).toHaveLength(8);
  for (const { reject } of sent.slice(1)) reject(TIME_OUT);
  await settled();
  expect(sent).toHaveLength(8 + 3);
  sent[0]?.resolve();
  await settled();
  expect(sent).toHaveLength(8 + 3 + 2);
  sent[8]?.resolve();
  await settled();
  expect(sent).toHaveLength(8 + 3 + 2 + 2);
  sent[9]?.reject(new Error('refused'));
  await settled();
  expect(sent).toHaveLength(8 + 3 + 2 + 2 + 1);
  for (let at = 0; at < 21; at += 1) {
    sent[at]?.resolve();
    await settled();
  }
  expect((await ended).filter(({ status }) => status === 'rejected')).toHaveLength(8);
});

it('bodies that wait are sent when one has timed out, while the store takes another one', async () => {
  const { sent, ended } = send(createSendWindow(4), 12);
  await settled();
  for (const { reject } of sent.slice(0, 3)) reject(TIME_OUT);
  await settled();
  for (let at = 3; at < 12; at += 1) {
    sent[at]?.resolve();
    await settled();
  }
  expect((await ended).filter(({ status }) => status === 'rejected')).toHaveLength(3);
});

it('bodies that wait end with those that were on their way at a time-out, when the store has taken none since', async () => {
  const window = createSendWindow(4);
  const { sent, ended } = send(window, 12);
  await settled();
  sent[0]?.reject(TIME_OUT);
  sent[1]?.reject(TIME_OUT);
  await settled();
  sent[2]?.reject(TIME_OUT);
  await settled();
  expect(sent).toHaveLength(4 + 1);
  sent[3]?.reject(TIME_OUT);
  await settled();
  expect(sent).toHaveLength(4 + 1);
  sent[4]?.reject(TIME_OUT);
  expect((await ended).map(({ status }) => status)).toEqual(Array(12).fill('rejected'));
  const later = send(window, 1);
  await settled();
  later.sent[0]?.resolve();
  expect(await later.ended).toMatchObject([{ status: 'fulfilled' }]);
});

it('successes permit no more bodies at once than there were at first', async () => {
  const { sent } = send(createSendWindow(2), 5);
  await settled();
  sent[0]?.resolve();
  await settled();
  expect(sent).toHaveLength(3);
});

it('a body that is given up while it waits is never sent, and keeps no other one waiting', async () => {
  const window = createSendWindow(1);
  const { sent } = send(window, 1);
  const stop = new AbortController();
  const given = window.run(
    async () => 'sent',
    () => false,
    stop.signal,
  );
  const next = send(window, 1);
  stop.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  sent[0]?.resolve();
  await settled();
  expect(next.sent).toHaveLength(1);
});
