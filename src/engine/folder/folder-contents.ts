/**
 * The contents of a folder, read from disk or from a page's bundle: its files by path, the excluded entries, and a
 * reader.
 */

import type { GitignoreState } from '../../api/folder-result.ts';
import type { FolderAccount, StaysOut } from '../../common/folder/folder-preview.ts';
import type { FolderFile } from '../../common/folder/select-files.ts';
import type { ReadFile } from './read-file.ts';

export interface FolderContents {
  readonly files: readonly FolderFile[];
  readonly skips: StaysOut[];
  /** Excluded entries that are counted but not listed. */
  readonly unlisted: Pick<FolderAccount, 'skippedFiles' | 'uncountedFolders'>;
  /** The state of the root .gitignore where the sender has evaluated it; null: it is evaluated here. */
  readonly gitignore: GitignoreState | null;
  /** Reads one of `files`, completely and once. */
  read(path: string): Promise<ReadFile>;
  close(): Promise<void>;
}

/** Called with the number of files found so far. */
export type OnFound = (files: number) => void;
