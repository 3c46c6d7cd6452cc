/**
 * Indexes the objects by their master key, as ../0014-object-key-index.ts does. Also adds the column `folder`: the
 * host, and the device and inode of the lock file in a node's data folder, so that a copy of the folder is recognised.
 */
export const sql = `
CREATE INDEX "objectsByKey" ON "objects" ("keyId");

ALTER TABLE "nodes" ADD COLUMN "folder" TEXT;
`;
