/** The interface of the local data feature: disk usage, clearing, diagnostics. */

import type { NamedFolder } from '../../ipc/protocol/commands/local-data.ts';
import type { CommandsOf } from '../command-types.ts';

export interface LocalDataApi extends CommandsOf<'profile'> {
  /** Absolute; null where this computer has no such folder. */
  folderOf(folder: NamedFolder): Promise<string | null>;
}
