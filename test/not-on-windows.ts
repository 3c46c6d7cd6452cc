/**
 * Test files that Windows cannot run as a whole, and what they need. There each is one skipped test that says so;
 * single tests are skipped by `support/only-on.ts`.
 */
import type { Plugin } from 'vite';
import { hasProgram } from './support/has-program.ts';

const X_SERVER = 'an X server and the programs of its desktop';
const CHROMIUM = 'the Chromium of Debian';
const ARCHIVERS = 'the shell, archivers and Python of Linux';
const PROC = 'the account of memory in /proc';
const KEYRING = 'the key store of a Linux desktop';
const SHELL = 'the shell and curl of Linux';

/** What Windows may have, and Wine has not. */
const GIT = 'git on this machine';
const TAR = 'tar on this machine';
const isThere: Readonly<Record<string, () => boolean>> = {
  [GIT]: () => hasProgram('git'),
  [TAR]: () => hasProgram('tar'),
};

export const NEEDS: Readonly<Record<string, string>> = {
  'test/cli/capture.test.ts': X_SERVER,
  'test/cli/earlier-data.test.ts': TAR,
  'test/cli/launcher.test.ts': SHELL,
  'test/cli/paste.test.ts': X_SERVER,
  'test/cli/record.test.ts': X_SERVER,
  'test/engine/account/keyring.test.ts': KEYRING,
  'test/engine/account/secrecy.test.ts': KEYRING,
  'test/engine/capture/capture.test.ts': X_SERVER,
  'test/engine/capture/modes.test.ts': X_SERVER,
  'test/engine/capture/raise-window.test.ts': X_SERVER,
  'test/engine/capture/scroll/pages.test.ts': X_SERVER,
  'test/engine/capture/scroll/windows.test.ts': X_SERVER,
  'test/engine/capture/x11-capturer.test.ts': X_SERVER,
  'test/engine/capture/x11-edges.test.ts': X_SERVER,
  'test/engine/folder/git.test.ts': GIT,
  'test/engine/folder/outcome.test.ts': GIT,
  'test/engine/folder/exclusion-rules.test.ts': GIT,
  'test/engine/folder/secrets.test.ts': GIT,
  'test/engine/hotkeys/x11.test.ts': X_SERVER,
  'test/engine/library/link-format.test.ts': CHROMIUM,
  'test/engine/recording/recording-limits.test.ts': X_SERVER,
  'test/engine/recording/camera.test.ts': X_SERVER,
  'test/engine/recording/crash.test.ts': X_SERVER,
  'test/engine/recording/first-frame.test.ts': SHELL,
  'test/engine/recording/input-display.test.ts': X_SERVER,
  'test/engine/recording/trim.test.ts': X_SERVER,
  'test/engine/recording/record.test.ts': X_SERVER,
  'test/engine/recording/sound.test.ts': X_SERVER,
  'test/server/folders/gitignore.test.ts': GIT,
  'test/server/folders/hostile-archives.test.ts': PROC,
  'test/server/folders/real-archives.test.ts': ARCHIVERS,
  'test/server/notes/highlight.test.ts': CHROMIUM,
  'test/server/notes/markdown.test.ts': CHROMIUM,
  'test/server/pages/account.test.ts': CHROMIUM,
  'test/server/pages/chapters.test.ts': CHROMIUM,
  'test/server/pages/account-and-sharing.test.ts': CHROMIUM,
  'test/server/pages/touch.test.ts': CHROMIUM,
  'test/server/pages/folder.test.ts': CHROMIUM,
  'test/server/pages/note.test.ts': CHROMIUM,
  'test/server/pages/pages.test.ts': CHROMIUM,
  'test/server/pages/every-page.test.ts': CHROMIUM,
  'test/server/pages/reader-tools.test.ts': CHROMIUM,
};

/** Puts the one skipped test in the place of such a file. */
export const skippedOnWindows: Plugin = {
  name: 'skipped-on-windows',
  enforce: 'pre',
  load(id) {
    const [file, need] = Object.entries(NEEDS).find(([path]) => id.endsWith(`/${path}`)) ?? [];
    if (process.platform !== 'win32' || file === undefined || need === undefined || isThere[need]?.()) return null;
    const title = `all of ${file} [skipped: Windows has not ${need}]`;
    return `import { it } from 'vitest'; it.skip(${JSON.stringify(title)}, () => {});`;
  },
};
