/** Folder dialogs of the system, over the double of Electron. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createFolderDialogs } from '../../src/main/adapters/folder-dialogs.ts';
import { desktop, resetDesktop } from '../support/electron/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

beforeEach(resetDesktop);

it('the chosen folder is answered, and null where the user cancelled', async () => {
  const folders = createFolderDialogs(() => null);
  desktop.picked.push('/home/mira/shots');
  expect(await folders.choose('/home/mira')).toBe('/home/mira/shots');
  expect(await folders.choose('')).toBeNull();
});

it('a folder is shown in the file manager, and is there by then', async () => {
  const folder = join(temporaryFolder('captures'), 'Linkshot');
  expect(await createFolderDialogs(() => null).show(folder)).toBe(true);
  expect(existsSync(folder)).toBe(true);
  expect(desktop.opened).toEqual([folder]);
});

it('only folders are opened: the system would start a program', async () => {
  const program = join(temporaryFolder('captures'), 'tool.sh');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  expect(await createFolderDialogs(() => null).show(program)).toBe(false);
  expect(desktop.opened).toEqual([]);
});

it('on macOS a folder that may be a program is only shown', async () => {
  const bundle = join(temporaryFolder('captures'), 'Tool.app');
  mkdirSync(bundle);
  expect(await createFolderDialogs(() => null, 'darwin').show(bundle)).toBe(true);
  expect(desktop.opened).toEqual([]);
  expect(desktop.shownInFolder).toEqual([bundle]);
});
