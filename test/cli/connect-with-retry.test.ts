/** First contact with a service retries for a while, with growing pauses. */
import { expect, it } from 'vitest';
import { err, failure, ok } from '../../src/api/errors.ts';
import type { EngineClient } from '../../src/cli/client/engine-client.ts';
import { connectWithRetry } from '../../src/cli/client/with-engine.ts';
import { hurriedClock } from '../support/hurried-clock.ts';

const CONTACT = { server: 'http://127.0.0.1:1', key: 'lsk_key' };
const never = new AbortController().signal;

/** The times in milliseconds at which a client with these answers is asked, and the result. */
const contactWith = async (answer: (attempt: number) => ReturnType<EngineClient['connect']>) => {
  const clock = hurriedClock();
  const asked: number[] = [];
  const connect: EngineClient['connect'] = () => answer(asked.push(clock.monotonic()));
  const contact = await connectWithRetry(
    { connect } as EngineClient,
    { contact: CONTACT, server: CONTACT.server, clock },
    never,
  );
  return { asked, contact };
};
const refusal = async (code: Parameters<typeof failure>[0]) => err(failure(code, 'Not so.'));

it('fails after three seconds where something else answers, without a request at every moment', async () => {
  const { asked, contact } = await contactWith(() => refusal('NOT_THE_SERVICE'));
  expect(contact).toMatchObject({ ok: false, error: { code: 'NOT_THE_SERVICE' } });
  expect(asked).toEqual([0, 200, 600, 1_400, 3_000]);
});

it('waits longer for a service that is starting, and asks it no more than every two seconds', async () => {
  const { asked, contact } = await contactWith(() => refusal('INTERNAL'));
  expect(contact).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  expect(asked).toEqual([0, 200, 600, 1_400, 3_000, 5_000, 7_000, 9_000, 11_000, 13_000, 15_000]);
});

it('continues as soon as the service answers, and immediately where waiting cannot help', async () => {
  const starting = await contactWith(async (attempt) => (attempt < 3 ? refusal('INTERNAL') : ok(undefined)));
  expect(starting).toEqual({ asked: [0, 200, 600], contact: ok(undefined) });
  expect((await contactWith(() => refusal('API_KEY_INVALID'))).asked).toEqual([0]);
});
