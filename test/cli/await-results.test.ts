/** How long a command waits for the link of an item that fails at first, and whether one that is refused stays. */
import { expect, it } from 'vitest';
import { err, type Failure, failure, ok } from '../../src/api/errors.ts';
import type { EngineClient } from '../../src/cli/client/engine-client.ts';
import { FIRST_CONTACT_MS } from '../../src/cli/client/with-engine.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { errorMessageOf } from '../../src/cli/error-messages.ts';
import { awaitResults } from '../../src/cli/publishing/publish.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { makeItem } from '../support/window/app-state.ts';

const HELD = failure('SOURCE_UNREADABLE', 'The file cannot be read (EBUSY).', { params: { system: 'EBUSY' } });

/** An engine without an answer of its service, whose item fails at first and has its link later. */
const publish = async (retryAt: number | null) => {
  const waits: number[] = [];
  const failing = makeItem('queued', 1, { error: { failure: HELD, since: 0, retryAt } });
  const later = makeItem('linked', 1);
  const failed: string[] = [];
  const client = {
    on: () => () => {},
    hasContact: () => false,
    kind: () => 'here',
    state: () => ({ queue: { items: [failing] } }),
    call: async (command: string, { patienceMs = 0 }: { patienceMs?: number }) => {
      if (command !== 'queue.waitFor') return ok({});
      waits.push(patienceMs);
      return waits.length === 1 ? err(HELD) : ok(later);
    },
  } as unknown as EngineClient;
  const report = {
    say: () => {},
    note: () => {},
    failed: (_: unknown, { code }: { code: string }) => failed.push(code),
  };
  const context = { report, terminal: null } as unknown as CommandContext;
  const job = { name: 'notes.ts', entered: ok(failing.id) };
  const links = await awaitResults([job], context, client, new AbortController().signal);
  return { links, failed, waits, url: later.content.url };
};

it('waits on while a file that another program holds is tried again', async () => {
  const { links, failed, waits, url } = await publish(1_000);
  expect([links, failed]).toEqual([[url], []]);
  expect(waits).toEqual([FIRST_CONTACT_MS, expect.any(Number)]);
});

it('ends with the reason when only the user can go on', async () => {
  const { links, failed, waits } = await publish(null);
  expect([links, failed, waits]).toEqual([[], ['SOURCE_UNREADABLE'], [FIRST_CONTACT_MS]]);
});

/** An engine whose item ends with an error; `seen` is the item's own. Resolves to what was cancelled and reported. */
const refuse = async (owner: QueueItem['source']['owner'], error: Failure, seen: Failure | null = error) => {
  const item = makeItem('posting', 1, {
    source: { owner, path: '/home/mira/shot-1.png' },
    error: seen && { failure: seen, since: 0, retryAt: null },
  });
  const cancelled: unknown[] = [];
  const messages: string[] = [];
  const client = {
    on: () => () => {},
    hasContact: () => true,
    kind: () => 'running instance',
    // The last snapshot is from before the error.
    state: () => ({ queue: { items: [{ ...item, error: null }] } }),
    call: async (command: string, { ids }: { ids?: unknown }) => {
      if (command === 'queue.cancel') cancelled.push(ids);
      if (command === 'app.state') return ok({ queue: { items: [item] } });
      return command === 'queue.waitFor' ? err(error) : ok({});
    },
  } as unknown as EngineClient;
  const report = { failed: (_: unknown, failed: Failure) => messages.push(errorMessageOf(failed)) };
  const context = { report, terminal: null } as unknown as CommandContext;
  await awaitResults([{ name: null, entered: ok(item.id) }], context, client, new AbortController().signal);
  return { cancelled, messages, id: item.id };
};

const REFUSED = failure('INVALID_INPUT', 'This expiry is in the past.', { status: 400 });

it('never removes a refused item of which the queue has the only copy, and says how to go on', async () => {
  const { cancelled, messages } = await refuse('spool', REFUSED);
  expect(cancelled).toEqual([]);
  expect(messages).toEqual([expect.stringMatching(/expiry is in the past.* stays in the queue.*queue cancel/)]);
});

it("removes the refused item of a user's file, which stays where it is", async () => {
  const { cancelled, messages, id } = await refuse('user', REFUSED);
  expect(cancelled).toEqual([[id]]);
  expect(messages).toEqual([expect.not.stringContaining('in the queue')]);
});

it('removes no item because waiting for it has failed', async () => {
  const lost = failure('COMMAND_INVALID', 'Linkshot is running with this profile and is not connected to a service.');
  expect((await refuse('user', lost, null)).cancelled).toEqual([]);
});
