/** Fills a profile like that of a computer that has been used for a while. */
import type { ClearedPart, ProfileUsage } from '../../src/ipc/protocol/commands/local-data.ts';

const KIB = 1024;
const MIB = 1024 ** 2;
const NOTHING = { bytes: 0, files: 0 };

export const makeUsage = (): ProfileUsage => ({
  folder: '/home/mira/.config/linkshot',
  captures: '/home/mira/Pictures/Linkshot',
  parts: {
    database: { bytes: 3.2 * MIB, files: 5 },
    waiting: { bytes: 44 * MIB, files: 2 },
    discarded: { bytes: 1.4 * MIB, files: 2 },
    thumbnails: { bytes: 812 * KIB, files: 64 },
    recordings: { bytes: 12 * MIB, files: 3 },
    tryOut: NOTHING,
    leftovers: { bytes: 400 * KIB, files: 1 },
    logs: { bytes: 6 * KIB, files: 1 },
    other: { bytes: 18 * KIB, files: 3 },
  },
  links: 128,
  hasLastRegion: true,
  published: [
    { kind: 'IMAGE', items: 101, bytes: 140 * MIB },
    { kind: 'VIDEO', items: 12, bytes: 160 * MIB },
    { kind: 'PASTE', items: 11, bytes: 2 * MIB },
    { kind: 'FOLDER', items: 4, bytes: 9 * MIB },
  ],
});

export const usageWithout = (usage: ProfileUsage, what: ClearedPart): ProfileUsage => {
  switch (what) {
    case 'thumbnails':
    case 'discarded':
    case 'leftovers':
      return { ...usage, parts: { ...usage.parts, [what]: NOTHING } };
    case 'history':
      return { ...usage, links: 0, published: [], parts: { ...usage.parts, thumbnails: NOTHING } };
    case 'lastRegion':
      return { ...usage, hasLastRegion: false };
  }
};
