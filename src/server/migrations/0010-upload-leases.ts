/**
 * The lease to complete an upload: `lease` is the node and a number of its own, and another node may take over after
 * `leaseUntil`.
 */
export const sql = `
ALTER TABLE "uploads" ADD COLUMN "lease" TEXT;
ALTER TABLE "uploads" ADD COLUMN "leaseUntil" INTEGER;
`;
