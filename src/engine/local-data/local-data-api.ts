/** The data on this computer as the engine offers it. */

import type { NamedFolder } from '../../ipc/protocol/commands/profile.ts';
import type { CommandsOf } from '../commands.ts';

export interface ProfileApi extends CommandsOf<'profile'> {
  /** Absolute; null where this computer has no such folder. */
  folderOf(folder: NamedFolder): Promise<string | null>;
}
