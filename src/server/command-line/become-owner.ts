/**
 * A command that is run as root works as the owner of the data folder's records from then on: files of root would stop
 * the server, which runs as that user.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { databaseIn, lockIn } from '../data-folder.ts';

/** Call it once per process: there is no way back. Throws with a sentence for the operator. */
export const becomeOwner = (data: string): void => {
  const { geteuid, setgroups, setgid, setuid } = process;
  if (!geteuid || !setgroups || !setgid || !setuid || geteuid() !== 0) return;
  const owner = ownerOf(resolve(data));
  if (owner === null || owner.uid === 0) return;
  try {
    setgroups([owner.gid]);
    setgid(owner.gid);
    setuid(owner.uid);
  } catch (error) {
    throw new Error(`The data folder belongs to the user ${owner.uid}; run this command as that user.`, {
      cause: error,
    });
  }
};

/** The folder itself may be a mount of another user than the one who runs the server. Null: there is none yet. */
const ownerOf = (root: string): { readonly uid: number; readonly gid: number } | null => {
  for (const path of [databaseIn(root), lockIn(root), root]) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found;
  }
  return null;
};
