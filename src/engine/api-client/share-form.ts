/** Encodes link settings as the text fields of a form (API document, "POST /api/v1/folders"). */
import type { ShareFields } from '../../api/content.ts';

export const formFieldsOf = ({ tags, oneTime, ...texts }: ShareFields): Record<string, string> => ({
  ...(tags !== undefined && { tags: JSON.stringify(tags) }),
  ...(oneTime !== undefined && { oneTime: String(oneTime) }),
  ...Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined)),
});
