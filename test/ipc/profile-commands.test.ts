/** Folder dialogs and update status: only from a host that supports them, and pages never name a path. */
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createPicturesFolder } from '../../src/engine/capture/pictures-folder.ts';
import { type OpenedHost, openTestHost } from '../support/open-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('profile-commands');
const { signal } = new AbortController();
const shown: string[] = [];
const begun: string[] = [];
const environment = { HOME: root, USERPROFILE: root };
let captures = '';
let chosen: string | null = null;
let able: OpenedHost;
let bare: OpenedHost;

beforeAll(async () => {
  // Windows itself reports the folder.
  captures = join((await createPicturesFolder({ platform: process.platform, environment })()) ?? '', 'Linkshot');
  able = await openTestHost(join(root, 'able'), {
    environment,
    folders: {
      choose: async (start) => {
        begun.push(start);
        return chosen;
      },
      show: async (path) => {
        shown.push(path);
        return true;
      },
    },
    updates: () => ({ state: 'there', version: '2.0.0', checkedAt: 5 }),
  });
  bare = await openTestHost(join(root, 'bare'));
});

it('a page has the folder of the profile and of captures shown, whatever path it sends along', async () => {
  const ask = (input: object) => able.dispatcher.dispatch('page', 'profile.openFolder', input, signal);
  expect(await ask({ folder: 'profile', path: '/etc' })).toEqual({ ok: true, value: {} });
  expect(await ask({ folder: 'captures' })).toEqual({ ok: true, value: {} });
  expect(await ask({ folder: '/etc' })).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
  expect(shown).toEqual([join(root, 'able'), captures]);
});

it('the folder that is chosen is set, and the old one stays where none is', async () => {
  const ask = () => able.dispatcher.dispatch('page', 'settings.chooseSaveFolder', {}, signal);
  expect(await ask()).toMatchObject({ ok: true, value: { saveFolder: null } });
  chosen = '/home/mira/shots';
  expect(await ask()).toMatchObject({ ok: true, value: { saveFolder: '/home/mira/shots' } });
  expect(able.engine.state().settings.saveFolder).toBe('/home/mira/shots');
  expect(begun).toEqual([captures, captures]);
});

it('a host without windows, server or versions reports that', async () => {
  const ask = (command: string, input = {}) => bare.dispatcher.dispatch('page', command, input, signal);
  for (const [command, input] of [
    ['profile.openFolder', { folder: 'profile' }],
    ['connection.tryOut', {}],
  ] as const)
    expect(await ask(command, input)).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
  for (const command of ['folder.choose', 'settings.chooseSaveFolder'])
    expect(await ask(command)).toMatchObject({ error: { detail: 'This host has no dialog for folders.' } });
  expect(await ask('app.updates')).toMatchObject({ ok: true, value: { state: 'not-looked-for' } });
  expect(await ask('app.trayIcon')).toEqual({ ok: true, value: { state: 'none' } });
  expect(await able.dispatcher.dispatch('page', 'app.updates', {}, signal)).toMatchObject({
    ok: true,
    value: { state: 'there', version: '2.0.0' },
  });
});
