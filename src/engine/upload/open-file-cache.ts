/**
 * Keeps recently opened files open for a moment, so that adding, preparing, hashing and sending open a source once. The
 * path is checked before each use: a file that was changed or replaced meanwhile is opened again.
 */
import { ok, type Result } from '../../api/errors.ts';
import type { FileState, OpenSource, OpenSourceAt } from './upload-source.ts';

export interface SourceCacheDeps {
  readonly open: OpenSourceAt;
  /** The file at the path now; null: it cannot be read. */
  readonly identify: (path: string) => Promise<FileState | null>;
}

export interface OpenFileCache {
  readonly open: OpenSourceAt;
  /** Closes the file as soon as it is not in use: the app or the user may delete it now. */
  release(path: string): void;
  close(): void;
}

/** The step that follows begins within this time, unless the item waits. */
const IDLE_MS = 2_000;
/** Files that are open and not in use. */
const IDLE_MAX = 8;

interface Entry {
  readonly path: string;
  readonly source: OpenSource;
  users: number;
  /** Set while it is open without a user. */
  idle: NodeJS.Timeout | null;
}

export const createOpenFileCache = ({ open, identify }: SourceCacheDeps): OpenFileCache => {
  const entries = new Map<string, Entry>();
  /** The one that has waited longest first. */
  const idle = new Set<Entry>();

  const wake = (entry: Entry): void => {
    if (entry.idle) clearTimeout(entry.idle);
    entry.idle = null;
    idle.delete(entry);
  };
  /** Closes the file when its last user is done. */
  const drop = (entry: Entry): void => {
    if (entries.get(entry.path) === entry) entries.delete(entry.path);
    wake(entry);
    // A file that was only read loses nothing when it cannot be closed.
    if (entry.users === 0) entry.source.close().catch(() => {});
  };
  const leave = (entry: Entry): void => {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entries.get(entry.path) !== entry) {
      drop(entry);
      return;
    }
    entry.idle = setTimeout(() => drop(entry), IDLE_MS).unref();
    idle.add(entry);
    const [oldest] = idle;
    if (idle.size > IDLE_MAX && oldest) drop(oldest);
  };
  const lend = (entry: Entry, isMtimeReliable: boolean): OpenSource => {
    let isOpen = true;
    return {
      size: entry.source.size,
      identity: entry.source.identity,
      isMtimeReliable,
      async read(into, position) {
        const read = await entry.source.read(into, position);
        // A file of a drive that is pulled out and comes back fails for as long as it is open.
        if (!read.ok) drop(entry);
        return read;
      },
      async close() {
        if (isOpen) leave(entry);
        isOpen = false;
      },
    };
  };

  return {
    async open(path): Promise<Result<OpenSource>> {
      const known = entries.get(path);
      if (known) {
        known.users += 1;
        wake(known);
        const now = await identify(path);
        if (now?.identity === known.source.identity) return ok(lend(known, now.isMtimeReliable));
        known.users -= 1;
        drop(known);
      }
      const opened = await open(path);
      if (!opened.ok) return opened;
      const entry: Entry = { path, source: opened.value, users: 1, idle: null };
      const other = entries.get(path);
      entries.set(path, entry);
      if (other) drop(other);
      return ok(lend(entry, opened.value.isMtimeReliable));
    },
    release(path) {
      const entry = entries.get(path);
      if (entry) drop(entry);
    },
    close() {
      for (const entry of [...entries.values()]) drop(entry);
    },
  };
};
