/** Which master keys the objects need is asked at every start. */
export const sql = `
CREATE INDEX "objectsByKey" ON "objects" ("keyId");
`;
