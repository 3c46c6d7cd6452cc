/**
 * A Secret Service that is locked and asks the user, who never answers, until it ends as a crash does. It runs as a process
 * of its own, because the library blocks the event loop of its caller while it connects.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import dbus, { defineInterface } from 'dbus-native';

const NAME = 'org.freedesktop.secrets';
const ROOT = '/org/freedesktop/secrets';
const COLLECTION = `${ROOT}/collection/login`;
const ITEM = `${COLLECTION}/1`;
const PROMPT = `${ROOT}/prompt/1`;

export interface AskingSecretService {
  /** Resolves when it asks the user. */
  readonly asks: Promise<unknown>;
  crash(): Promise<void>;
}

export const startAskingSecretService = async (busAddress: string): Promise<AskingSecretService> => {
  const child = spawn(process.execPath, [import.meta.filename, busAddress], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  return {
    asks: once(lines, 'line'),
    async crash() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};

const serve = async (busAddress: string): Promise<void> => {
  const bus = dbus.createClient({ busAddress });
  const service = defineInterface({
    name: 'org.freedesktop.Secret.Service',
    methods: {
      OpenSession: {
        in: { algorithm: 's', input: 'v' },
        out: { output: 'v', session: 'o' },
        handler: () => ({ output: new dbus.Variant('ay', Buffer.alloc(128, 3)), session: `${ROOT}/session/1` }),
      },
      SearchItems: {
        in: { of: 'a{ss}' },
        out: { unlocked: 'ao', locked: 'ao' },
        handler: () => ({ unlocked: [], locked: [ITEM] }),
      },
      ReadAlias: { in: { name: 's' }, out: { collection: 'o' }, handler: () => COLLECTION },
      Unlock: {
        in: { objects: 'ao' },
        out: { unlocked: 'ao', prompt: 'o' },
        handler: () => ({ unlocked: [], prompt: PROMPT }),
      },
    },
    properties: { Collections: { type: 'ao', access: 'read', get: () => [COLLECTION] } },
  });
  const prompt = defineInterface({
    name: 'org.freedesktop.Secret.Prompt',
    methods: { Prompt: { in: { window: 's' }, out: {}, handler: () => console.log('asks') } },
  });
  const collection = defineInterface({
    name: 'org.freedesktop.Secret.Collection',
    properties: { Locked: { type: 'b', access: 'read', get: () => true } },
  });
  await bus.export(ROOT, service);
  await bus.export(PROMPT, prompt);
  for (const path of [COLLECTION, `${ROOT}/aliases/default`]) await bus.export(path, collection);
  await bus.ownName(NAME);
  console.log('ready');
};

const [, program, address] = process.argv;
if (program === import.meta.filename && address) await serve(address);
