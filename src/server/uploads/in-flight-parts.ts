/**
 * Tracks the parts of uploads that are being received, and limits those of each account to `limits.partsAtOnce`. A
 * repeated part takes over the slot of its earlier request, even at another node, so silently dropped connections
 * cannot use up the slots of an account. The requests that were replaced and have not ended are limited too.
 */
import type { AccountId, UploadId } from '../../api/ids.ts';
import type { Slot, Slots } from '../limits/concurrency-slots.ts';
import { ProblemError } from '../problem-details.ts';

const BUSY_RETRY_MS = 1_000;
/** For each slot of an account, the request that has it and two that were replaced may be unfinished at this node. */
const REQUESTS_PER_SLOT = 3;

export interface InFlightPart {
  readonly uploadId: UploadId;
  readonly index: number;
  /** Whether a newer request has taken over this one's slot. */
  isReplaced(): Promise<boolean>;
  /** Resolves when the requests that took over, and all their effects, are over. */
  successorsEnded(): Promise<void>;
}

/** Callbacks that control a request from outside. */
export interface InFlightControls {
  /** Another request carries the same part now. */
  replaced(): void;
  /** The upload has ended; the bytes are useless. */
  aborted(reason: ProblemError): void;
}

export interface InFlightParts {
  /** Runs one part request in a slot. Throws UPLOAD_USER_BUSY when the account has no free slot or too many requests. */
  run<T>(
    place: { readonly accountId: AccountId; readonly uploadId: UploadId; readonly index: number },
    run: (flight: InFlightPart, control: (controls: InFlightControls) => void) => Promise<T>,
  ): Promise<T>;
  /** Stops every part of an upload at this node immediately; each fails with `reason`. */
  abort(uploadId: UploadId, reason: ProblemError, except?: InFlightPart): void;
}

interface Entry extends InFlightPart {
  readonly ended: PromiseWithResolvers<void>;
  slot: Slot | undefined;
  controls: InFlightControls | undefined;
  successor: Entry | undefined;
}

const createEntry = (uploadId: UploadId, index: number): Entry => {
  const entry: Entry = {
    uploadId,
    index,
    ended: Promise.withResolvers(),
    slot: undefined,
    controls: undefined,
    successor: undefined,
    isReplaced: async () => entry.successor !== undefined || ((await entry.slot?.isReplaced()) ?? false),
    successorsEnded: async () => {
      let last = entry;
      for (let next = entry.successor; next !== undefined; next = next.successor) {
        await next.ended.promise;
        last = next;
      }
      await last.slot?.othersEnded();
    },
  };
  return entry;
};

export const createInFlightParts = (slots: Pick<Slots, 'take'>, partsAtOnce: number): InFlightParts => {
  const entries = new Set<Entry>();
  /** Per part the latest request of this node. */
  const latest = new Map<string, Entry>();
  /** Per part the requests that take its slot, one after the other. */
  const turns = new Map<string, Promise<unknown>>();
  const unfinished = new Map<AccountId, number>();

  const count = (accountId: AccountId, change: 1 | -1): number => {
    const next = (unfinished.get(accountId) ?? 0) + change;
    if (next > 0) unfinished.set(accountId, next);
    else unfinished.delete(accountId);
    return next;
  };

  const busy = (): ProblemError =>
    new ProblemError(
      'UPLOAD_USER_BUSY',
      `An account sends at most ${partsAtOnce} parts at a time; wait for one to finish.`,
      { retryAfterMs: BUSY_RETRY_MS },
    );

  const inTurn = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = turns.get(name);
    const turn = before === undefined ? work() : before.then(work, work);
    turns.set(name, turn);
    try {
      return await turn;
    } finally {
      if (turns.get(name) === turn) turns.delete(name);
    }
  };

  /** The order of the slots is that of the successors. */
  const take = async (entry: Entry, accountId: AccountId, name: string): Promise<Slot> => {
    const replaced = () => entry.controls?.replaced();
    const slot = await slots.take({ accountId, kind: 'part', name, limit: partsAtOnce, takesOver: true, replaced });
    if (typeof slot === 'string') throw busy();
    entry.slot = slot;
    entries.add(entry);
    const stale = latest.get(name);
    latest.set(name, entry);
    if (stale !== undefined) {
      stale.successor = entry;
      stale.controls?.replaced();
    }
    return slot;
  };

  const runInSlot: InFlightParts['run'] = async ({ accountId, uploadId, index }, run) => {
    const name = `${uploadId}:${index}`;
    const entry = createEntry(uploadId, index);
    const slot = await inTurn(name, () => take(entry, accountId, name));
    try {
      return await run(entry, (controls) => {
        entry.controls = controls;
        if (entry.successor !== undefined) controls.replaced();
      });
    } finally {
      entries.delete(entry);
      if (latest.get(name) === entry) latest.delete(name);
      await slot.release();
      entry.ended.resolve();
    }
  };

  return {
    run: async (place, run) => {
      try {
        if (count(place.accountId, 1) > REQUESTS_PER_SLOT * partsAtOnce) throw busy();
        return await runInSlot(place, run);
      } finally {
        count(place.accountId, -1);
      }
    },
    abort: (uploadId, reason, except) => {
      for (const entry of entries) {
        if (entry.uploadId === uploadId && entry !== except) entry.controls?.aborted(reason);
      }
    },
  };
};
