/** As ../0014-objects-by-key.ts; and where the data folder of a node is, by which a copy of it is recognised. */
export const sql = `
CREATE INDEX "objectsByKey" ON "objects" ("keyId");

ALTER TABLE "nodes" ADD COLUMN "folder" TEXT;
`;
