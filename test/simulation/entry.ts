/** An item that the user adds in a run, and its valid outcomes. */
import type { ItemId } from '../../src/api/ids.ts';

export type Kind = 'file' | 'capture' | 'note' | 'folder';

export interface Entry {
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  /** Hashes of all contents of the source so far, and of the files prepared from them. */
  readonly allowed: Set<string>;
  readonly isUnsupported: boolean;
  /** It may not be downloaded. */
  readonly isGuarded: boolean;
  /** Null until the app has accepted it. */
  id: ItemId | null;
  /** What the app said; `asking` until it has, also when it died meanwhile. */
  taken: 'asking' | 'yes' | 'no';
  /** `early`: before it was being published, by an app that has lived on since; it must never be published then. */
  cancelled: 'no' | 'early' | 'late';
  isDismissed: boolean;
}

/** The service gets another file extension where a body was prepared. */
export const isOf = (name: string, entry: Entry): boolean => name.split('.')[0] === entry.name.split('.')[0];
