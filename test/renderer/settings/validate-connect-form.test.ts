import { describe, expect, it } from 'vitest';
import {
  checkKey,
  checkServer,
  completeServer,
} from '../../../src/renderer/screens/settings/account/validate-connect-form.ts';

describe('the address of a server', () => {
  it('gets https where no scheme was typed, and http on this computer', () => {
    expect(completeServer(' share.example.com ')).toBe('https://share.example.com');
    expect(completeServer('localhost:8080')).toBe('http://localhost:8080');
    expect(completeServer('http://share.example.com ')).toBe('http://share.example.com');
    expect(completeServer('   ')).toBe('');
  });

  it.each([
    ['', 'serverMissing'],
    ['https://', 'serverMalformed'],
    ['https://a b', 'serverMalformed'],
    ['ftp://share.example.com', 'serverMalformed'],
    ['https://mira:secret@share.example.com', 'serverMalformed'],
    ['http://share.example.com', 'serverInsecure'],
    ['http://localhost.example.com', 'serverInsecure'],
    ['http://127.0.0.1:3000', null],
    ['http://[::1]:3000', null],
    ['https://share.example.com/base', null],
  ] as const)('%j is judged as %j', (server, problem) => {
    expect(checkServer(server)).toBe(problem);
  });
});

it('a key is neither empty nor broken by spaces', () => {
  expect(['', 'lsk_a b', 'lsk_abc'].map(checkKey)).toEqual(['keyMissing', 'keyMalformed', null]);
});
