/** What may be asked about the profile itself. */

import type { Failure } from '../../api/errors.ts';
import type { Problem } from '../../ipc/protocol/commands/problems.ts';
import type { ClearedPart, NamedFolder, ProfileUsage } from '../../ipc/protocol/commands/profile.ts';

export interface ProfileApi {
  /** What went wrong and was not taken away yet; the newest first. Each change is an event, too. */
  problems(): readonly Problem[];
  noteProblem(failure: Failure): void;
  forgetProblems(ids: readonly number[] | 'all'): void;
  /** How much lies in the folder of the profile, and what is known of what was published. */
  usage(): Promise<ProfileUsage>;
  /** Removes it from this computer; answers what is left. */
  clearProfile(what: ClearedPart): Promise<ProfileUsage>;
  /** What helps to find a fault. It holds no key, no name, no address of an item and no path. */
  report(): Promise<string>;
  /** Absolute; null where this computer has no such folder. */
  folderOf(folder: NamedFolder): Promise<string | null>;
}
