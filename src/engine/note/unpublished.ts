/** The note that is being written. Promise: it outlives this process until it is published or thrown away. */

import { NewNote } from '../../contract/app/draft.ts';
import { err, ok } from '../../contract/errors.ts';
import { diskFull, isDiskFull, type Profile } from '../profile/database.ts';
import { createFact } from '../profile/facts.ts';
import type { NoteDoor } from './door.ts';

export const createUnpublished = (
  profile: Profile,
): Pick<NoteDoor, 'unpublishedNote' | 'saveUnpublished' | 'dropUnpublished'> => {
  const fact = createFact(profile, 'unpublished_note', NewNote);
  return {
    unpublishedNote: fact.read,
    saveUnpublished(note) {
      try {
        fact.write(note);
        return ok(undefined);
      } catch (error) {
        if (isDiskFull(error)) return err(diskFull());
        throw error;
      }
    },
    dropUnpublished: fact.clear,
  };
};
