/** A real profile with its engine and host, closed and removed after the test file. */
import { ok } from '../../src/api/errors.ts';
import { silentNotifier } from '../../src/engine/node-ports.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { type HostCore, type HostCoreRequest, startHostCore } from '../../src/host/start-host-core.ts';
import { afterEveryFile } from './ends.ts';
import { BARE } from './window/bare-capabilities.ts';

export interface OpenedHost extends HostCore {
  /** Addresses that were opened in the user's browser. */
  readonly opened: readonly string[];
  /** How often the window was brought to the front. */
  readonly shown: () => number;
  /** Logged bugs. */
  readonly logged: readonly string[];
}

const open: (() => Promise<void>)[] = [];
afterEveryFile(async () => {
  for (const close of open.splice(0)) await close();
});

export const openTestHost = async (profileDir: string, change: Partial<HostCoreRequest> = {}): Promise<OpenedHost> => {
  const opened: string[] = [];
  const logged: string[] = [];
  let shown = 0;
  const host = await startHostCore({
    profileDir,
    secrets: async () => createMemoryKeyStore(),
    clipboard: null,
    notifier: silentNotifier,
    opener: {
      open: async (url) => {
        opened.push(url);
        return ok(undefined);
      },
    },
    environment: process.env,
    capabilities: BARE,
    show: () => {
      shown += 1;
      return ok(undefined);
    },
    log: (line) => logged.push(line),
    ...change,
  });
  if (!host.ok) throw new Error(host.error.detail);
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= host.value.close();
    return closing;
  };
  open.push(close);
  return { ...host.value, close, opened, logged, shown: () => shown };
};
