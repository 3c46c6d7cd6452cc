/** Finds objects without a row, which a server leaves when it is killed between creating a file and recording it. */
import type { ServerDeps } from '../deps.ts';
import type { ObjectId } from '../storage/object-store.ts';

/** A table that references objects. */
export interface ObjectOwner {
  ownsObject(id: ObjectId): boolean;
}

/**
 * Adds every object unknown to all `owners` to the deletion queue and resolves with their number. Run it before
 * requests are served: an object in creation has no row yet.
 */
export const sweepOrphans = async (
  { objects, deletions }: Pick<ServerDeps, 'objects' | 'deletions'>,
  owners: readonly ObjectOwner[],
): Promise<number> => {
  let orphans = 0;
  for await (const { id } of objects.list()) {
    if (owners.some((owner) => owner.ownsObject(id))) continue;
    deletions.enqueue(id);
    orphans += 1;
  }
  return orphans;
};
