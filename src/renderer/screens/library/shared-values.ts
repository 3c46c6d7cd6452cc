/** Values that all selected items share: the initial state of the bulk settings. */

import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import type { LinkOptionsValue } from '../../components/links/link-options.tsx';

/** The value all have in common; undefined where they differ. */
const shared = <Value>(values: readonly Value[]): Value | undefined =>
  values.every((value) => value === values[0]) ? values[0] : undefined;

export const commonOf = (items: readonly LibraryItem[]): LinkOptionsValue => ({
  visibility: shared(items.map(({ content }) => content.visibility)) ?? null,
  ttl: items.every(({ content }) => content.expiresAt == null) ? 'forever' : null,
  oneTime: items.every(({ content }) => content.oneTime),
  endsAt: null,
});

/** Tags of any of the items, the most frequent first. */
export const tagsOf = (items: readonly LibraryItem[]): string[] => {
  const counts = new Map<string, number>();
  for (const tag of items.flatMap(({ content }) => content.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .toSorted(([tag, count], [other, others]) => others - count || tag.localeCompare(other))
    .map(([tag]) => tag);
};
