/** Profile commands that the engine offers to hosts. */

import type { Failure } from '../../api/errors.ts';
import type { Problem } from '../../ipc/protocol/commands/problems.ts';
import type { ClearedPart, NamedFolder, ProfileUsage } from '../../ipc/protocol/commands/profile.ts';

export interface ProfileApi {
  /** Recent errors that were not dismissed, the newest first. Each change also emits an event. */
  problems(): readonly Problem[];
  noteProblem(failure: Failure): void;
  forgetProblems(ids: readonly number[] | 'all'): void;
  /** Disk usage of the profile folder, and totals of the published items. */
  usage(): Promise<ProfileUsage>;
  /** Deletes a part from this computer; resolves to the remaining usage. */
  clearProfile(what: ClearedPart): Promise<ProfileUsage>;
  /** The diagnostics report. It contains no keys, names, item addresses or paths. */
  report(): Promise<string>;
  /** Absolute; null where this computer has no such folder. */
  folderOf(folder: NamedFolder): Promise<string | null>;
}
