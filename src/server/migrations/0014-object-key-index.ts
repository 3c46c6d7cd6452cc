/** Indexes the objects by their master key: each start asks which master keys they need. */
export const sql = `
CREATE INDEX "objectsByKey" ON "objects" ("keyId");
`;
