/**
 * Tracks the parts in flight. At most `limits.partsAtOnce` of an account have a slot; a repeated index takes over the
 * slot of a stale request for the same index, so that silently dropped connections never lock an account out.
 */
import type { AccountId, UploadId } from '../../api/ids.ts';
import { ProblemError } from '../problem.ts';

const BUSY_RETRY_MS = 1_000;

export interface InFlightPart {
  readonly uploadId: UploadId;
  readonly index: number;
  /** The request that took over this one's slot; undefined while it has the slot itself. */
  readonly replacedBy: () => InFlightPart | undefined;
  /** Resolves when this request and all its effects are over. */
  readonly ended: Promise<void>;
}

/** Callbacks that control a request from outside. */
export interface InFlightControls {
  /** Another request carries the same part now. */
  replaced(): void;
  /** The upload has ended; the bytes are useless. */
  aborted(reason: ProblemError): void;
}

export interface InFlightParts {
  /** Runs one part request in a slot. Throws UPLOAD_USER_BUSY when the account has no free slot. */
  run<T>(
    place: { readonly accountId: AccountId; readonly uploadId: UploadId; readonly index: number },
    run: (flight: InFlightPart, control: (controls: InFlightControls) => void) => Promise<T>,
  ): Promise<T>;
  /** Stops every part of an upload immediately; each fails with `reason`. */
  abort(uploadId: UploadId, reason: ProblemError, except?: InFlightPart): void;
}

interface Entry extends InFlightPart {
  readonly accountId: AccountId;
  controls: InFlightControls | undefined;
  successor: Entry | undefined;
}

export const createInFlightParts = (partsAtOnce: number): InFlightParts => {
  const entries = new Set<Entry>();

  const holders = (accountId: AccountId): readonly Entry[] =>
    [...entries].filter((entry) => entry.accountId === accountId && entry.successor === undefined);

  return {
    run: async ({ accountId, uploadId, index }, run) => {
      const holding = holders(accountId);
      const stale = holding.find((entry) => entry.uploadId === uploadId && entry.index === index);
      if (stale === undefined && holding.length >= partsAtOnce) {
        throw new ProblemError(
          'UPLOAD_USER_BUSY',
          `An account sends at most ${partsAtOnce} parts at a time; wait for one to finish.`,
          { retryAfterMs: BUSY_RETRY_MS },
        );
      }
      const ending = Promise.withResolvers<void>();
      const entry: Entry = {
        accountId,
        uploadId,
        index,
        ended: ending.promise,
        replacedBy: () => entry.successor,
        controls: undefined,
        successor: undefined,
      };
      entries.add(entry);
      if (stale !== undefined) {
        stale.successor = entry;
        stale.controls?.replaced();
      }
      try {
        return await run(entry, (controls) => {
          entry.controls = controls;
        });
      } finally {
        entries.delete(entry);
        ending.resolve();
      }
    },
    abort: (uploadId, reason, except) => {
      for (const entry of entries) {
        if (entry.uploadId === uploadId && entry !== except) entry.controls?.aborted(reason);
      }
    },
  };
};
