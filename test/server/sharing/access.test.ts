import { describe, expect, it } from 'vitest';
import {
  ANSWERS,
  type Answers,
  type ItemState,
  mayPreview,
  type RequesterState,
  type Standing,
  standingOf,
} from '../../../src/server/sharing/access-rules.ts';

interface Combination {
  readonly item: ItemState;
  readonly requester: RequesterState;
}

const all = <T>(...values: readonly T[]): readonly T[] => values;

const combinations: readonly Combination[] = all(false, true).flatMap((expired) =>
  all(false, true).flatMap((held) =>
    all('private', 'unlisted', 'public').flatMap((visibility) =>
      all(false, true).flatMap((passwordProtected) =>
        all('no', 'unused', 'consumed').flatMap((oneTime) =>
          all('none', 'views-left', 'reached').flatMap((viewLimit) =>
            all('owner', 'other').flatMap((who) =>
              all('none', 'live').flatMap((grant) =>
                all('none', 'proven').map((password) => ({
                  item: { expired, held, visibility, passwordProtected, oneTime, viewLimit } as ItemState,
                  requester: { who, grant, password } as RequesterState,
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
);

const isLocked = (item: ItemState, requester: RequesterState): boolean =>
  item.passwordProtected && requester.password !== 'proven';

/** The table of API decisions 6 a second time, row by row; the first match decides. */
const ROWS: readonly (readonly [Standing, (c: Combination) => boolean, Answers])[] = [
  [
    'expired',
    ({ item }) => item.expired,
    { page: 'unavailable', open: 'unavailable', media: 'unavailable', api: 'gone-to-owner' },
  ],
  [
    'owner',
    ({ requester }) => requester.who === 'owner',
    { page: 'show', open: 'welcome', media: 'serve', api: 'show' },
  ],
  [
    'held',
    ({ item }) => item.held,
    { page: 'unavailable', open: 'unavailable', media: 'unavailable', api: 'unavailable' },
  ],
  [
    'private',
    ({ item }) => item.visibility === 'private',
    { page: 'unavailable', open: 'unavailable', media: 'unavailable', api: 'unavailable' },
  ],
  [
    'granted',
    ({ requester }) => requester.grant === 'live',
    { page: 'show', open: 'welcome', media: 'serve', api: 'unavailable' },
  ],
  [
    'consumed',
    ({ item }) => item.oneTime === 'consumed',
    { page: 'unavailable', open: 'unavailable', media: 'unavailable', api: 'unavailable' },
  ],
  [
    'limit-reached',
    ({ item }) => item.viewLimit === 'reached',
    { page: 'unavailable', open: 'unavailable', media: 'unavailable', api: 'unavailable' },
  ],
  [
    'locked',
    ({ item, requester }) => isLocked(item, requester) && item.visibility === 'public',
    { page: 'lock', open: 'ask-password', media: 'open-first', api: 'locked-card' },
  ],
  [
    'locked-unlisted',
    ({ item, requester }) => isLocked(item, requester),
    { page: 'lock', open: 'ask-password', media: 'open-first', api: 'unavailable' },
  ],
  [
    'one-time',
    ({ item }) => item.oneTime === 'unused',
    { page: 'button', open: 'consume', media: 'open-first', api: 'unavailable' },
  ],
  [
    'limited',
    ({ item }) => item.viewLimit === 'views-left' && item.visibility === 'public',
    { page: 'button', open: 'count', media: 'open-first', api: 'show' },
  ],
  [
    'limited-unlisted',
    ({ item }) => item.viewLimit === 'views-left',
    { page: 'button', open: 'count', media: 'open-first', api: 'unavailable' },
  ],
  ['public', ({ item }) => item.visibility === 'public', { page: 'show', open: 'count', media: 'serve', api: 'show' }],
  ['unlisted', () => true, { page: 'show', open: 'count', media: 'serve', api: 'unavailable' }],
];

describe('The access table', () => {
  it('is followed in every combination, the first row that matches', () => {
    expect(combinations).toHaveLength(2 * 2 * 3 * 2 * 3 * 3 * 2 * 2 * 2);
    for (const combination of combinations) {
      const row = ROWS.find(([, matches]) => matches(combination));
      const standing = standingOf(combination.item, combination.requester);
      expect(standing, JSON.stringify(combination)).toBe(row?.[0]);
      expect(ANSWERS[standing], standing).toEqual(row?.[2]);
    }
  });
  it('shows another account an unlisted item in no state', () => {
    for (const { item, requester } of combinations) {
      if (item.visibility !== 'unlisted' || requester.who === 'owner' || item.expired) continue;
      expect(ANSWERS[standingOf(item, requester)].api, JSON.stringify({ item, requester })).toBe('unavailable');
    }
  });
  it('hides what does not exist like all else that is hidden', () => {
    const standing = standingOf(null, { who: 'other', grant: 'none', password: 'none' });
    expect(ANSWERS[standing]).toEqual(ANSWERS.held);
  });
  it('gives no media to anyone but the owner while the item is held, private, expired, consumed or used up', () => {
    for (const { item, requester } of combinations) {
      const { media } = ANSWERS[standingOf(item, requester)];
      if (item.expired) expect(media).toBe('unavailable');
      else if (requester.who === 'other' && (item.held || item.visibility === 'private'))
        expect(media).toBe('unavailable');
      else if (
        requester.who === 'other' &&
        requester.grant === 'none' &&
        (item.oneTime === 'consumed' || item.viewLimit === 'reached')
      )
        expect(media).toBe('unavailable');
    }
  });
  it('allows link previews of plain items only, of unlisted ones as the owner chose', () => {
    for (const { item, requester } of combinations) {
      const standing = standingOf(item, requester);
      const plain = standing === 'public' || standing === 'unlisted';
      expect(mayPreview(standing, { unlistedPreviews: 1 })).toBe(plain);
      expect(mayPreview(standing, { unlistedPreviews: 0 })).toBe(standing === 'public');
      if (plain)
        expect([item.passwordProtected && requester.password === 'none', item.oneTime, item.viewLimit]).toEqual([
          false,
          'no',
          'none',
        ]);
    }
  });
});
