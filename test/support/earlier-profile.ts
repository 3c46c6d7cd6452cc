/** Turns a closed profile into one of an earlier version. */
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** As before versions recorded where keys are: also the names of keys in memory were on record. */
export const forgetKeyPlaces = (profileDir: string): void => {
  const database = new Database(join(profileDir, 'profile.sqlite'));
  database
    .prepare(
      "UPDATE persisted_values SET value = json_remove(value, '$.connections[0].keyPlace') WHERE name = 'connections'",
    )
    .run();
  database.close();
};
