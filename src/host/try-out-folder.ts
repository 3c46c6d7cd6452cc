/** Where the built-in server keeps its data in a profile. Apart from the server, which is loaded only where it runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const tryOutFolder = (profileDir: string): string => join(profileDir, 'try-out');

/** What the next start needs to know. */
export const tryOutStart = (profileDir: string): string => join(tryOutFolder(profileDir), 'start.json');

/** Whether a server has run in this profile: links may lead to it. */
export const wasTriedOut = (profileDir: string): boolean => existsSync(tryOutStart(profileDir));
