/** What Linkshot keeps on this computer: how much, what of it may go, and the folders it lies in. */
import Type, { type Static } from 'typebox';
import { ContentType, literals } from '../../../api/content.ts';
import { type Command, None } from './command.ts';

const Count = Type.Integer({ minimum: 0 });
const Part = Type.Object({ bytes: Count, files: Count });

/**
 * The folder of the profile in parts. `discarded`: captures that were given up and can be brought back. `leftovers`: what
 * was set aside because it was damaged.
 */
const Parts = Type.Object({
  database: Part,
  waiting: Part,
  discarded: Part,
  thumbnails: Part,
  recordings: Part,
  tryOut: Part,
  leftovers: Part,
  other: Part,
});
export type ProfilePart = keyof Static<typeof Parts>;
export const PROFILE_PARTS = Object.keys(Parts.properties) as readonly ProfilePart[];

export const ProfileUsage = Type.Object({
  /** Path of the profile. */
  folder: Type.String(),
  /** Where captures are saved as files; empty where this computer has no folder for pictures. */
  captures: Type.String(),
  parts: Parts,
  /** Published items that are remembered here, of all accounts. */
  links: Count,
  hasLastRegion: Type.Boolean(),
  /** What the active account has published, as it was read last; `bytes` of the things themselves. */
  published: Type.Array(Type.Object({ kind: ContentType, items: Count, bytes: Count })),
});
export type ProfileUsage = Static<typeof ProfileUsage>;

/**
 * `thumbnails`: small pictures; those of what is under way are made again. `history`: finished rows, the library on this
 * computer with its safety copies, and its small pictures; nothing is deleted at the service, and what waits, is being
 * deleted or was typed and not saved stays; discarded captures go with it. `lastRegion`: where the last capture was.
 * `discarded`, `leftovers`: as above.
 */
export const ClearedPart = literals('thumbnails', 'history', 'lastRegion', 'discarded', 'leftovers');
export type ClearedPart = Static<typeof ClearedPart>;

/** A folder that a page may have shown; it names none itself. */
export const NamedFolder = literals('profile', 'captures');
export type NamedFolder = Static<typeof NamedFolder>;

export const profileCommands = {
  'profile.usage': { input: None, output: ProfileUsage, from: 'page' },
  /** Answers what is left. */
  'profile.clear': { input: Type.Object({ what: ClearedPart }), output: ProfileUsage, from: 'page' },
  /** What helps to find a fault, as text, in English: no key, no name, no address of an item, no path. */
  'profile.report': { input: None, output: Type.Object({ text: Type.String() }), from: 'page' },
  /** Shows it in the system's file manager, where the host has one (`capabilities.fileManager`). */
  'profile.openFolder': { input: Type.Object({ folder: NamedFolder }), output: None, from: 'page' },
} as const satisfies Record<string, Command>;
