/**
 * Indexes the names of accounts in lower case by the rules of ASCII: by those of a Turkish or Azeri locale a capital I
 * has another lower case, so that two names could differ in case alone, and the account with the capital was never
 * found. Such an account gets a part of its id into its name. The index before stays for nodes of the version before.
 */
export const sql = `
UPDATE "accounts" SET "username" = left("username", 55) || '-' || left("id", 8)
  WHERE lower("username") <> lower("username" COLLATE "C") AND EXISTS (SELECT 1 FROM "accounts" AS "other"
    WHERE "other"."id" <> "accounts"."id"
      AND lower("other"."username" COLLATE "C") = lower("accounts"."username" COLLATE "C"));

CREATE UNIQUE INDEX "accountsByAsciiName" ON "accounts" (lower("username" COLLATE "C"));
`;
