/**
 * Adds the columns of the lease that a node takes to complete an upload: `lease` names the node and its attempt, and
 * another node may take over after `leaseUntil`.
 */
export const sql = `
ALTER TABLE "uploads" ADD COLUMN "lease" TEXT;
ALTER TABLE "uploads" ADD COLUMN "leaseUntil" INTEGER;
`;
