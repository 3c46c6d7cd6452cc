/** How long a command waits for the link of an item that fails at first. */
import { expect, it } from 'vitest';
import { err, failure, ok } from '../../src/api/errors.ts';
import type { EngineClient } from '../../src/cli/client/engine-client.ts';
import { FIRST_CONTACT_MS } from '../../src/cli/client/with-engine.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { awaitResults } from '../../src/cli/publishing/publish.ts';
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
