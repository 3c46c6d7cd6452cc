/**
 * Locates the folder of the try-out server, the built-in service, in a profile, and tells whether that server has ever
 * run there.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const tryOutFolder = (profileDir: string): string => join(profileDir, 'try-out');

/** The file with what the next start needs to know. */
export const tryOutStart = (profileDir: string): string => join(tryOutFolder(profileDir), 'start.json');

/** Whether a server has run in this profile: links to it may exist. */
export const wasTriedOut = (profileDir: string): boolean => existsSync(tryOutStart(profileDir));
