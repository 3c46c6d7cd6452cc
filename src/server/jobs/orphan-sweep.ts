/** Finds objects that no row knows: what a server left behind that was killed between making a file and recording it. */
import type { ServerDeps } from '../deps.ts';
import type { ObjectId } from '../storage/object-store.ts';

/** A table that objects belong to. */
export interface ObjectOwner {
  ownsObject(id: ObjectId): boolean;
}

/**
 * Puts every object that none of `owners` knows into the deletion queue and resolves with their number. Run it before
 * requests are served: an object that is just being made has no row yet.
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
