/** Finds objects that no row knows: what a server left behind that was killed between making a file and recording it. */
import type { ServerDeps } from '../deps.ts';
import type { ObjectId } from '../storage/object-store.ts';

/**
 * Puts every orphan into the deletion queue and resolves with their number. Run it before requests are served: an
 * object that is just being made has no row yet.
 */
export const sweepOrphans = async ({ database, objects, deletions }: ServerDeps): Promise<number> => {
  const owned = database
    .prepare<[ObjectId, ObjectId], number>(
      `SELECT EXISTS (SELECT 1 FROM uploads WHERE objectId = ? AND state IN ('UPLOADING', 'COMPLETING'))
           OR EXISTS (SELECT 1 FROM content WHERE objectId = ?)`,
    )
    .pluck();
  let orphans = 0;
  for await (const { id } of objects.list()) {
    if (owned.get(id, id) === 1) continue;
    deletions.enqueue(id);
    orphans += 1;
  }
  return orphans;
};
