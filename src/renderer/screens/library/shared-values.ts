/** What several items have in common: how the settings of all of them at once begin. */

import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import type { LinkOptionsValue } from '../../components/links/link-options.tsx';

/** The one value that all have; undefined where they differ. */
const shared = <Value>(values: readonly Value[]): Value | undefined =>
  values.every((value) => value === values[0]) ? values[0] : undefined;

export const commonOf = (items: readonly LibraryItem[]): LinkOptionsValue => ({
  visibility: shared(items.map(({ content }) => content.visibility)) ?? null,
  ttl: items.every(({ content }) => content.expiresAt == null) ? 'forever' : null,
  oneTime: items.every(({ content }) => content.oneTime),
  endsAt: null,
});

/** The tags that any of them has, the most frequent first. */
export const tagsOf = (items: readonly LibraryItem[]): string[] => {
  const counts = new Map<string, number>();
  for (const tag of items.flatMap(({ content }) => content.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .toSorted(([tag, count], [other, others]) => others - count || tag.localeCompare(other))
    .map(([tag]) => tag);
};
