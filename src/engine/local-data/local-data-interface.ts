/**
 * Public interface of the local data feature: the commands for disk usage, clearing and diagnostics, and the paths of
 * its folders.
 */

import type { NamedFolder } from '../../ipc/protocol/commands/local-data.ts';
import type { CommandsOf } from '../command-types.ts';

export interface LocalDataApi extends CommandsOf<'profile'> {
  /** Absolute; null where this computer has no such folder. */
  folderOf(folder: NamedFolder): Promise<string | null>;
}
