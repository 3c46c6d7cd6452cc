/**
 * Runs the try-out: the reference server on this computer, with a ready account, so that the first dropped file gets a
 * link. Account and items survive restarts, and so do the links if the port is free. A new API key is created on every
 * start and never stored.
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer as createListener } from 'node:net';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { SCOPES } from '../api/account.ts';
import { readFileSync, renameSync, writeFileSync } from '../base/node/retrying-fs.ts';
import type { Server, ServerConfig, ServerOptions } from '../server/create-server.ts';
import { tryOutFolder, tryOutStart } from './try-out-folder.ts';

export type { InspectorProcess, InspectorSettings, StartInspectorProcess } from '../server/create-server.ts';

export interface TryOutServer {
  readonly server: string;
  readonly key: string;
  close(): Promise<void>;
}

const USERNAME = 'try-out';
/** The plan with the most space: the disk belongs to the user. */
const PLAN = 'pro';

/** Budgets protect a service from abuse. Here hundreds of concurrent files or changes are the user's own. */
const BUDGETS = {
  requestsPerMinute: 60_000,
  uploadRequestsPerMinute: 60_000,
  partsPerMinute: 60_000,
  guestRequestsPerMinute: 60_000,
} satisfies Partial<ServerConfig['limits']>;

/** What the next start needs: the port that the links carry, and the key to revoke. */
const Remembered = Type.Object({ port: Type.Integer({ minimum: 0, maximum: 65_535 }), keyId: Type.String() });

const recall = (path: string): Static<typeof Remembered> | null => {
  try {
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Value.Check(Remembered, stored) ? stored : null;
  } catch {
    return null;
  }
};

const remember = (path: string, facts: Static<typeof Remembered>): void => {
  writeFileSync(`${path}.new`, JSON.stringify(facts), { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const probe = createListener();
    probe.once('error', () => answer(false));
    probe.listen({ host: '127.0.0.1', port }, () => probe.close(() => answer(true)));
  });

const accountOf = async ({ accounts }: Server): ReturnType<Server['accounts']['add']> => {
  try {
    return await accounts.byUsername(USERNAME);
  } catch {
    return await accounts.add({ username: USERNAME, plan: PLAN, passwordHash: null });
  }
};

/**
 * Runs the server on 127.0.0.1 with its data, and the log of this run, in the profile folder. Loaded only where it is
 * wanted. `host`: overrides for a host that is not Node, or has no packages beside its bundle.
 */
export const startTryOutServer = async (
  profileDir: string,
  host: Pick<ServerOptions, 'isBundled' | 'startInspector'> = {},
): Promise<TryOutServer> => {
  const { createServer, DEFAULT_CONFIG } = await import('../server/create-server.ts');
  const data = tryOutFolder(profileDir);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const path = tryOutStart(profileDir);
  const last = recall(path);
  const diary = createWriteStream(join(data, 'server.log'), { mode: 0o600 });
  // A full disk must not end the program that logs.
  diary.on('error', () => {});
  const config = { ...DEFAULT_CONFIG, limits: { ...DEFAULT_CONFIG.limits, ...BUDGETS } };
  let server: Server | null = null;
  const close = async (): Promise<void> => {
    try {
      await server?.close();
    } finally {
      diary.end();
    }
  };
  try {
    server = await createServer({ ...host, data, config, log: (line) => diary.write(`${line}\n`) });
    const port = last && (await isFree(last.port)) ? last.port : 0;
    const { url } = await server.listen({ host: '127.0.0.1', port });
    const { id: accountId } = await accountOf(server);
    const { id, apiKey } = await server.keys.add({ accountId, scopes: SCOPES, name: 'Linkshot on this computer' });
    remember(path, { port: Number(new URL(url).port), keyId: id });
    if (last) await server.keys.revoke(last.keyId);
    return { server: url, key: apiKey, close };
  } catch (error) {
    // The next attempt of this process needs the folder.
    await close().catch(() => {});
    throw error;
  }
};
