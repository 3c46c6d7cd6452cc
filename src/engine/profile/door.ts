/** What may be asked about the profile itself. */
import type { ClearedPart, NamedFolder, ProfileUsage } from '../../contract/app/commands/profile.ts';

export interface ProfileDoor {
  /** How much lies in the folder of the profile, and what is known of what was published. */
  usage(): Promise<ProfileUsage>;
  /** Removes it from this computer; answers what is left. */
  clearProfile(what: ClearedPart): Promise<ProfileUsage>;
  /** What helps to find a fault. It holds no key, no name, no address of an item and no path. */
  report(): Promise<string>;
  /** Absolute; null where this computer has no such folder. */
  folderOf(folder: NamedFolder): Promise<string | null>;
}
