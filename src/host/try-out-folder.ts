/**
 * Locates the folder of the try-out server in a profile, and tells whether the server has ever run there. A module of
 * its own, because the server is loaded only where it runs.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const tryOutFolder = (profileDir: string): string => join(profileDir, 'try-out');

/** The file with what the next start needs to know. */
export const tryOutStart = (profileDir: string): string => join(tryOutFolder(profileDir), 'start.json');

/** Whether a server has run in this profile: links to it may exist. */
export const wasTriedOut = (profileDir: string): boolean => existsSync(tryOutStart(profileDir));
