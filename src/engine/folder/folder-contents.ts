/** What a folder holds, wherever it is: its files by path, what stays out unread, and how a file is read. */

import type { GitignoreState } from '../../api/folder-result.ts';
import type { FolderAccount, StaysOut } from '../../common/folder/preview.ts';
import type { FolderFile } from '../../common/folder/selection.ts';
import type { ReadFile } from './read-file.ts';

export interface FolderContents {
  readonly files: readonly FolderFile[];
  readonly skips: StaysOut[];
  /** What stays out and is only counted. */
  readonly unlisted: Pick<FolderAccount, 'skippedFiles' | 'uncountedFolders'>;
  /** The state of the root .gitignore where it was judged by somebody else; null: it is judged here. */
  readonly gitignore: GitignoreState | null;
  /** Reads one of `files`, whole and once. */
  read(path: string): Promise<ReadFile>;
  close(): Promise<void>;
}

/** Tells how many files were found so far. */
export type OnFound = (files: number) => void;
