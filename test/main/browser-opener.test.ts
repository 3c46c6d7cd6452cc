/** What the app opens in the user's browser: only pages of the services in use, over https or on this computer. */
import { beforeEach, expect, it, vi } from 'vitest';
import { createBrowserOpener } from '../../src/main/adapters/browser-opener.ts';
import { desktop, resetDesktop, shell } from '../support/electron/index.ts';

beforeEach(resetDesktop);

const opener = createBrowserOpener(() => ['https://share.example', 'http://127.0.0.1:4000']);

it('pages of a service in use are opened as they are', async () => {
  for (const address of ['https://share.example/s/abc?v=2', 'http://127.0.0.1:4000/s/abc'])
    expect((await opener.open(address)).ok).toBe(true);
  expect(desktop.opened).toEqual(['https://share.example/s/abc?v=2', 'http://127.0.0.1:4000/s/abc']);
});

it('nothing else reaches the system, whatever a service answers', async () => {
  const hostile = [
    'http://share.example/s/abc',
    'https://evil.example/',
    'https://share.example.evil.example/',
    'https://share.example@evil.example/',
    'http://localhost/s/abc',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ms-msdt:/id PCWDiagnostic',
    'smb://share.example/x',
    'linkshot://open/home',
    '\\\\share.example\\x',
    'share.example',
    '',
  ];
  for (const address of hostile)
    expect(await opener.open(address), address).toMatchObject({ error: { code: 'ADDRESS_INVALID' } });
  expect(desktop.opened).toEqual([]);
});

it('an address of this computer is any of its own', async () => {
  const own = createBrowserOpener(() => ['http://127.0.1.1:4180']);
  expect((await own.open('http://127.0.1.1:4180/connect')).ok).toBe(true);
});

it('a system without a browser is an error that shows the address', async () => {
  vi.spyOn(shell, 'openExternal').mockRejectedValue(new Error('no handler'));
  for (const opened of [
    await opener.open('https://share.example/s/a'),
    await opener.openAny?.('https://other.example/'),
  ])
    expect(opened).toMatchObject({
      error: { code: 'APP_FAILED', detail: expect.stringMatching(/Open https:\S+ yourself/) },
    });
  vi.restoreAllMocks();
});
