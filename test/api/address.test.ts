/**
 * Normalising service addresses: one form for every spelling, and never an address over which a key could be read. Also
 * which addresses of a reply are accepted.
 */
import { describe, expect, it } from 'vitest';
import { isWebAddress, normaliseAddress } from '../../src/api/service-address.ts';

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

describe('an address in a reply', () => {
  it.each([
    'https://share.example.org/s/a?v=2',
    'http://linkshot_web:8080/s/a',
    'https://a~b.example./base/path/s/a#x',
    'https://xn--e1afmkfd.xn--p1ai/s/a',
    'http://[2001:db8::1]:8080/s/a',
    'http://[::ffff:192.0.2.1]/s/a',
    'https://share.example.org',
    "https://share.example.org/a-b._~:/[]@!$&'()*+,;=%20?x/?",
  ])('%s is accepted, because it is one by RFC 3986', (address) => {
    expect(isWebAddress(address)).toBe(true);
  });

  it.each([
    'ftp://share.example.org/s/a',
    'javascript:alert(1)',
    '/s/a',
    'https://user:pass@share.example.org/s/a',
    'https://share.example.org/s/a b',
    'https://share.example.org/s/a\n',
    'https://share.example.org/s/\u202ea',
    'https://share.example.org/<s>',
    'https://share.example.org:99999/s/a',
    'https://[::1/s/a',
    'https://пример.рф/s/a',
    'https://',
  ])('%j is refused', (address) => {
    expect(isWebAddress(address)).toBe(false);
  });
});
