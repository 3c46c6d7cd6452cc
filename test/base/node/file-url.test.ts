/** Converting `file:` URLs of other programs to paths. */
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { pathOfFileUrl } from '../../../src/base/node/file-url.ts';

it('is a path on this computer', () => {
  const address = pathToFileURL('some folder/файл.png');
  expect(pathOfFileUrl(address.href)).toMatch(/some folder[\\/]файл\.png$/);
});

it.each(['file://far/share/x.png', 'file://10.0.0.1/x', 'https://host/x', 'no address', ''])(
  '%j is invalid: no other computer is contacted',
  (address) => {
    expect(pathOfFileUrl(address)).toBeNull();
  },
);
