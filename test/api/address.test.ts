/** Normalising service addresses: one form for every spelling, and never an address over which a key could be read. */
import { describe, expect, it } from 'vitest';
import { normaliseAddress } from '../../src/api/service-address.ts';

describe('addresses are https anywhere and http on this machine only', () => {
  it.each([
    [' share.example.org/ ', 'https://share.example.org'],
    ['HTTPS://Example.org:8443/base//', 'https://example.org:8443/base'],
    ['localhost:3000', 'http://localhost:3000'],
    ['127.0.0.1:80/base/', 'http://127.0.0.1/base'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['http://127.8.9.1', 'http://127.8.9.1'],
    ['https://localhost:3000', 'https://localhost:3000'],
  ])('%j is %s', (typed, value) => {
    expect(normaliseAddress(typed)).toEqual({ ok: true, value });
  });

  it.each([
    ['http://example.org', 'INSECURE_ADDRESS'],
    ['http://127.0.0.1.example.org', 'INSECURE_ADDRESS'],
    ['http://localhost.evil.org', 'INSECURE_ADDRESS'],
    ['ftp://example.org', 'ADDRESS_INVALID'],
    ['ftp://localhost', 'ADDRESS_INVALID'],
    ['https://user:pass@example.org', 'ADDRESS_INVALID'],
    ['https://', 'ADDRESS_INVALID'],
    ['https://a b', 'ADDRESS_INVALID'],
    ['', 'ADDRESS_INVALID'],
  ])('%j is refused with %s', (typed, code) => {
    expect(normaliseAddress(typed)).toMatchObject({ ok: false, error: { code } });
  });
});
