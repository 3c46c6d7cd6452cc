/**
 * Indexes the objects by their master key, because each start of the server asks which master keys the objects need.
 */
export const sql = `
CREATE INDEX "objectsByKey" ON "objects" ("keyId");
`;
