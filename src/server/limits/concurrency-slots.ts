/**
 * Limits the concurrent requests of an account by slots of three kinds: parts of uploads, files in one request, and
 * notes. Only one request at a time can have the slot of a name, such as an Idempotency-Key. This module counts the
 * slots of one process, `shared-concurrency-slots.ts` those of all nodes.
 */
import type { AccountId } from '../../api/ids.ts';

export interface SlotRequest {
  readonly accountId: AccountId;
  /** Each kind is counted by itself. */
  readonly kind: 'part' | 'file' | 'note';
  /** What the request works on; only one request has the slot of a name. */
  readonly name: string;
  /** Slots of this kind that the account may have. */
  readonly limit: number;
  /** Whether it takes over the slot of an earlier request with the same name. */
  readonly takesOver: boolean;
  /** Called once another node has taken over the slot. */
  readonly replaced?: () => void;
}

/** `running`: another request has the name; `busy`: the account has no free slot. */
type SlotRefusal = 'running' | 'busy';

export interface Slot {
  /** Whether another request has taken over. */
  isReplaced(): boolean | Promise<boolean>;
  /** Resolves when no other request has the slot. */
  othersEnded(): Promise<void>;
  /** Does not reject; idempotent. */
  release(): Promise<void>;
}

export interface Slots {
  take(request: SlotRequest): Promise<Slot | SlotRefusal>;
  /** Forgets what has ended. */
  sweep(): Promise<void>;
}

/** Slots in the memory of this process, exact as long as it is the only one. */
export const createSlots = (): Slots => {
  /** Per account and kind the names, each with the request that has it. */
  const held = new Map<string, Map<string, PromiseWithResolvers<void>>>();

  return {
    take: async ({ accountId, kind, name, limit, takesOver }) => {
      const owner = `${kind} ${accountId}`;
      const names = held.get(owner) ?? new Map<string, PromiseWithResolvers<void>>();
      const isTaken = names.has(name);
      if (isTaken && !takesOver) return 'running';
      if (!isTaken && names.size >= limit) return 'busy';
      const own = Promise.withResolvers<void>();
      held.set(owner, names.set(name, own));
      return {
        isReplaced: () => names.get(name) !== own && names.has(name),
        othersEnded: async () => {
          for (let other = names.get(name); other !== undefined && other !== own; other = names.get(name))
            await other.promise;
        },
        release: async () => {
          if (names.get(name) === own) names.delete(name);
          if (names.size === 0 && held.get(owner) === names) held.delete(owner);
          own.resolve();
        },
      };
    },
    sweep: async () => {},
  };
};
