/**
 * Commands about the data on this computer: its size, what can be cleared, its folders, and a diagnostic report. Also
 * the name of the app's log file.
 */
import Type, { type Static } from 'typebox';
import { ContentType } from '../../../api/content.ts';
import { literals } from '../../../api/nullable-and-literals.ts';
import { type Command, None } from './command.ts';

const Count = Type.Integer({ minimum: 0 });
const Part = Type.Object({ bytes: Count, files: Count });

/**
 * Sizes of the profile folder by part. `discarded`: discarded captures that can be restored. `leftovers`: files set
 * aside because they were damaged. `logs`: of the app.
 */
const Parts = Type.Object({
  database: Part,
  waiting: Part,
  discarded: Part,
  thumbnails: Part,
  recordings: Part,
  tryOut: Part,
  leftovers: Part,
  logs: Part,
  other: Part,
});
/** The app's log in the profile folder; full ones end with `.1` and `.2`. */
export const APP_LOG = 'linkshot.log';

export type ProfilePart = keyof Static<typeof Parts>;
export const PROFILE_PARTS = Object.keys(Parts.properties) as readonly ProfilePart[];

export const ProfileUsage = Type.Object({
  /** Path of the profile. */
  folder: Type.String(),
  /** Where screenshots are saved as files; empty if this computer has no folder for pictures. */
  captures: Type.String(),
  parts: Parts,
  /** Published items known here, of all accounts. */
  links: Count,
  hasLastRegion: Type.Boolean(),
  /** What the active account has published, at the last read; `bytes` of the items themselves. */
  published: Type.Array(Type.Object({ kind: ContentType, items: Count, bytes: Count })),
});
export type ProfileUsage = Static<typeof ProfileUsage>;

/**
 * `thumbnails`: small pictures; those of pending items are made again. `history`: finished rows, the local library with
 * its backups, its small pictures and discarded captures; nothing is deleted at the service, and pending items, pending
 * deletions and unsaved text are kept. `lastRegion`: the area of the last capture. `discarded`, `leftovers`: as above.
 */
export const ClearedPart = literals('thumbnails', 'history', 'lastRegion', 'discarded', 'leftovers');
export type ClearedPart = Static<typeof ClearedPart>;

/** Folders that a page may have shown; a page never passes a path. */
export const NamedFolder = literals('profile', 'captures');
export type NamedFolder = Static<typeof NamedFolder>;

export const localDataCommands = {
  'profile.usage': { input: None, output: ProfileUsage, from: 'page' },
  /** Returns the remaining usage. */
  'profile.clear': { input: Type.Object({ what: ClearedPart }), output: ProfileUsage, from: 'page' },
  /** A diagnostic report as English text: without keys, names, item addresses and paths. */
  'profile.report': { input: None, output: Type.Object({ text: Type.String() }), from: 'page' },
  /** Shows it in the system's file manager, where the host has one (`capabilities.fileManager`). */
  'profile.openFolder': { input: Type.Object({ folder: NamedFolder }), output: None, from: 'page', by: 'host' },
} as const satisfies Record<string, Command>;
