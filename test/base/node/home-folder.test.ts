import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { homeFolder } from '../../../src/base/node/home-folder.ts';

it('is the folder that the system tells', () => {
  expect(homeFolder()).toBe(homedir());
});

it('is the root folder where the system does not list the user', () => {
  const unlisted = (): string => {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)');
  };
  expect(homeFolder(unlisted)).toBe('/');
});
