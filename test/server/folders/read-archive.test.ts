import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseArchive } from '../../../src/server/folders/normalise-archive.ts';
import { readArchive } from '../../../src/server/folders/read-archive.ts';
import { lengthOf } from '../../support/campaign.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import {
  extraField,
  type ForgedArchive,
  type ForgedEntry,
  forgeZip,
  uint16,
  uint32,
  unicodePath,
  zipOf,
} from '../../support/folder/forge-zip.ts';

const hello: ForgedEntry = { name: 'hello.txt', bytes: 'hello' };
const second: ForgedEntry = { name: 'second.txt', bytes: 'second' };
const packedHello = deflateRawSync('hello');

const bytes = (text: string) => Buffer.from(text, 'latin1');
const forge = (entry: Partial<ForgedEntry>, archive?: ForgedArchive) => forgeZip([{ ...hello, ...entry }], archive);
const named = (name: string | Buffer) => forgeZip([{ name, bytes: 'x' }]);
const unixMode = (mode: number) => ({ attributes: (mode << 16) >>> 0 });
const descriptor = (signature: string, ...fields: readonly number[]) =>
  Buffer.concat([bytes(signature), ...fields.map(uint32)]);
const HELLO_CRC = 0x3610a686;

/** A file whose data begins with another whole archive's records. */
const nested = zipOf({ 'inner.txt': 'inner' });
/** The records of a second archive, appended after the first: two ends, two directories. */
const two = Buffer.concat([zipOf({ 'one.txt': '1' }), zipOf({ 'two.txt': '2' })]);

/** The start of the second entry. */
const helloEnd = 30 + 9 + packedHello.length;

/** Files that share one kernel, each quoting the next one's header as its own text: a bomb without nesting. */
const overlapping = (): Buffer => {
  let text = Buffer.alloc(1_000_000);
  let data = deflateRawSync(text);
  const entries: ForgedEntry[] = [];
  for (let index = 0; index < 200; index += 1) {
    const name = `f${String(index).padStart(3, '0')}`;
    const header = forgeZip([{ name, bytes: text, data }]).subarray(0, 30 + name.length);
    entries.unshift({ name, bytes: text, data, only: 'central' });
    text = Buffer.concat([header, text]);
    data = Buffer.concat([bytes('\0'), uint16(header.length), uint16(~header.length & 0xffff), header, data]);
  }
  const first = { name: 'first', bytes: text, data };
  return forgeZip([first, ...entries.map((entry, index) => ({ ...entry, central: { offset: 35 + 5 + index * 39 } }))]);
};

const end64 = Buffer.concat([bytes('PK\x06\x06'), uint32(44), uint32(0), Buffer.alloc(44)]);
const locator64 = Buffer.concat([bytes('PK\x06\x07'), uint32(0), uint32(0), uint32(0), uint32(1)]);

// biome-ignore format: a table
const BAD: Readonly<Record<string, () => Buffer>> = {
  'nothing at all': () => Buffer.alloc(0),
  'text': () => bytes('This is no archive.'),
  'a gzip file': () => bytes('\x1f\x8b\x08\x00rest of it'),
  'an archive cut in half': () => zipOf({ 'a.txt': 'some text', 'b.txt': 'more text' }).subarray(0, 60),
  'an archive without its last byte': () => forge({}).subarray(0, -1),
  'bytes before the archive': () => Buffer.concat([bytes('#!/bin/sh\n'), forge({})]),
  'bytes before the archive, with offsets that know of them': () => forge({}, { prefix: bytes('#!/bin/sh\n') }),
  'bytes after the archive': () => forge({}, { suffix: bytes('\n') }),
  'a whole archive after the archive': () => two,
  'a whole archive as the comment': () => forge({}, { comment: nested }),
  'an end record in the comment': () => forge({}, { comment: bytes('PK\x05\x06') }),
  'a comment longer than there are bytes': () => forge({}, { end: { commentLength: 1 } }),
  'a comment shorter than there are bytes': () => forge({}, { comment: bytes('note'), end: { commentLength: 2 } }),
  'a second end record': () => forge({}, { afterDirectory: Buffer.concat([bytes('PK\x05\x06'), Buffer.alloc(18)]) }),
  'bytes before the central directory': () => forge({}, { beforeDirectory: bytes('hidden') }),
  'bytes after the central directory': () => forge({}, { afterDirectory: bytes('hidden') }),
  'bytes after the entries of the central directory': () => forge({}, { inDirectory: bytes('hidden') }),
  'a digital signature in the directory': () => forge({}, { inDirectory: bytes('PK\x05\x05\x02\x00ab') }),
  'a central directory that starts elsewhere': () => forge({}, { end: { start: 0 } }),
  'a central directory of another size': () => forge({}, { end: { size: 10 } }),
  'more entries announced than there are': () => forge({}, { end: { entries: 2, entriesHere: 2 } }),
  'fewer entries announced than there are': () => forgeZip([hello, second], { end: { entries: 1, entriesHere: 1 } }),
  'an entry that is missing from the directory': () => forgeZip([hello, { ...second, only: 'local' }]),
  'a first entry that is missing from the directory': () => forgeZip([{ ...hello, only: 'local' }, second]),
  'an entry twice in the directory': () => forgeZip([hello, { ...hello, only: 'central', central: { offset: 0 } }]),
  'two names in the directory for one file': () => forgeZip([hello, { ...second, only: 'central', central: { offset: 0 } }]),
  'a directory entry that points into nothing': () => forge({ central: { offset: 7 } }),
  'a directory entry that points beyond the end': () => forge({ central: { offset: 0x7fffffff } }),
  'a directory entry that points at the directory': () => forgeZip([hello, { ...second, only: 'central', central: { offset: helloEnd } }]),
  'two files of one name': () => forgeZip([hello, { ...hello, bytes: 'other' }]),
  'two folders of one name': () => forgeZip([{ name: 'a/' }, { name: 'a/' }, hello]),
  'a file and a folder of one name': () => forgeZip([{ name: 'a', bytes: 'x' }, { name: 'a/' }]),
  'a file in a file': () => forgeZip([{ name: 'a', bytes: 'x' }, { name: 'a/b', bytes: 'y' }, { name: 'a!', bytes: 'z' }]),
  'bytes between two files': () => forgeZip([hello, { ...second, gap: bytes('hidden') }]),
  'files that overlap': overlapping,
  'a packed size that reaches into the next file': () => forgeZip([{ ...hello, local: { packed: 60 }, central: { packed: 60 } }, second]),
  'a packed size too small by one': () => forge({ local: { packed: packedHello.length - 1 }, central: { packed: packedHello.length - 1 } }),
  'ZIP64 sizes in the local header': () => forge({ local: { packed: 0xffffffff, size: 0xffffffff } }),
  'ZIP64 sizes in the central header': () => forge({ central: { size: 0xffffffff } }),
  'a ZIP64 extra field': () => forge({ extra: extraField(1, Buffer.alloc(16)) }),
  'a ZIP64 extra field in the local header only': () => forge({ local: { extra: extraField(1, Buffer.alloc(16)) } }),
  'a ZIP64 offset': () => forge({ central: { offset: 0xffffffff } }),
  'a ZIP64 end with its locator': () => forge({}, { afterDirectory: Buffer.concat([end64, locator64]) }),
  'a ZIP64 locator alone': () => forge({}, { afterDirectory: locator64 }),
  'a ZIP64 locator disguised as a comment of the last entry': () => forge({ central: { comment: locator64 } }),
  'ZIP64 numbers in the end record': () => forge({}, { end: { entries: 0xffff, entriesHere: 0xffff } }),
  'a ZIP64 start in the end record': () => forge({}, { end: { start: 0xffffffff } }),
  'a ZIP64 data descriptor': () => forge({ descriptor: descriptor('PK\x07\x08', HELLO_CRC, packedHello.length, 0, 5, 0) }),
  'a descriptor with a wrong CRC': () => forge({ descriptor: descriptor('PK\x07\x08', 1, packedHello.length, 5) }),
  'a descriptor with a CRC of zero': () => forge({ descriptor: descriptor('PK\x07\x08', 0, packedHello.length, 5) }),
  'a descriptor with a wrong packed size': () => forge({ descriptor: descriptor('PK\x07\x08', HELLO_CRC, packedHello.length + 1, 5) }),
  'a descriptor with a wrong size': () => forge({ descriptor: descriptor('PK\x07\x08', HELLO_CRC, packedHello.length, 6) }),
  'a descriptor without signature with a wrong size': () => forge({ descriptor: descriptor('', HELLO_CRC, packedHello.length, 6) }),
  'a descriptor with another signature': () => forge({ descriptor: descriptor('PK\x07\x09', HELLO_CRC, packedHello.length, 5) }),
  'a descriptor that is announced and missing': () => forge({ flags: 8 }),
  'a descriptor that is there and not announced': () => forge({ descriptor: 'signed', local: { flags: 0, crc: HELLO_CRC, packed: packedHello.length, size: 5 }, central: { flags: 0 } }),
  'a descriptor announced in one header only': () => forge({ descriptor: 'signed', central: { flags: 0 } }),
  'another size in the local header of a streamed file': () => forge({ descriptor: 'signed', local: { size: 4 } }),
  'encryption': () => forge({ flags: 1 }),
  'encryption in the local header only': () => forge({ local: { flags: 1 } }),
  'strong encryption': () => forge({ flags: 0x41 }),
  'a masked central directory': () => forge({ flags: 0x2000 }),
  'patched data': () => forge({ flags: 0x20 }),
  'AES encryption': () => forge({ extra: extraField(0x9901, Buffer.alloc(7)) }),
  'a split archive': () => forge({}, { end: { disk: 1 } }),
  'a directory on another disk': () => forge({}, { end: { startDisk: 1 } }),
  'a file on another disk': () => forge({ central: { disk: 1 } }),
  'entries on several disks': () => forge({}, { end: { entries: 2, entriesHere: 1 } }),
  'the mark of a spanned archive': () => forge({}, { prefix: bytes('PK\x07\x08') }),
  'the compression bzip2': () => forge({ local: { method: 12 }, central: { method: 12 } }),
  'the compression deflate64': () => forge({ local: { method: 9 }, central: { method: 9 } }),
  'the compression zstd': () => forge({ local: { method: 93 }, central: { method: 93 } }),
  'two methods for one file': () => forge({ local: { method: 0 } }),
  'another CRC in the local header': () => forge({ local: { crc: 1 } }),
  'another size in the local header': () => forge({ local: { size: 4 } }),
  'another packed size in the local header': () => forge({ local: { packed: 4 } }),
  'another name in the local header': () => forge({ local: { name: bytes('hullo.txt') } }),
  'a name in other letters in the local header': () => forge({ local: { name: bytes('HELLO.txt') } }),
  'a name of CP437': () => named(bytes('caf\x82.txt')),
  'a name of Latin-1': () => named(bytes('caf\xe9.txt')),
  'a name that is longer UTF-8 than needed': () => named(bytes('a\xc0\xafb')),
  'a name with half a surrogate pair': () => named(bytes('\xed\xa0\x80')),
  'a name with a NUL': () => named('hello.txt\0.sh'),
  'no name': () => named(''),
  'an absolute name': () => named('/etc/passwd'),
  'a name of a share of Windows': () => named('\\\\host\\share\\x'),
  'a drive letter': () => named('C:/windows/x'),
  'a drive letter without a slash': () => named('c:x'),
  'a backslash': () => named('a\\b.txt'),
  'a way out of the folder': () => named('../x'),
  'a way out of the folder further in': () => named('a/../../x'),
  'a way out of the folder as a folder': () => forgeZip([{ name: 'a/../' }, hello]),
  'dots at the end': () => named('a/..'),
  'a dot as a part': () => named('./a'),
  'an empty part': () => named('a//b'),
  'a symbolic link': () => forge({ central: unixMode(0o120777) }),
  'a device': () => forge({ central: unixMode(0o020666) }),
  'a named pipe': () => forge({ central: unixMode(0o010666) }),
  'a socket': () => forge({ central: unixMode(0o140666) }),
  'a folder that is named like a file': () => forge({ central: unixMode(0o040755) }),
  'a folder that holds bytes': () => forgeZip([{ name: 'folder/', bytes: 'hidden' }, hello]),
  'a folder that holds bytes which unpack to nothing': () => forgeZip([{ name: 'folder/', data: Buffer.alloc(99) }, hello]),
  'a Unicode name that differs': () => forge({ extra: unicodePath('hello.txt', 'other.txt') }),
  'a Unicode name that differs in the local header only': () => forge({ local: { extra: unicodePath('hello.txt', 'other.txt') } }),
  'a Unicode name for another name': () => forge({ extra: unicodePath('hello.txt', 'hello.txt', 1) }),
  'two Unicode names': () => forge({ extra: Buffer.concat([unicodePath('hello.txt', 'hello.txt'), unicodePath('hello.txt', 'hello.txt')]) }),
  'a Unicode name of another version': () => forge({ extra: extraField(0x7075, bytes('\x02')) }),
  'an extra field longer than there is': () => forge({ extra: Buffer.concat([uint16(0x5455), uint16(99), bytes('x')]) }),
  'an extra field cut off': () => forge({ extra: bytes('abc') }),
  'a wrong CRC': () => forge({ local: { crc: 1 }, central: { crc: 1 } }),
  'a size too large by one': () => forge({ local: { size: 6 }, central: { size: 6 } }),
  'a size too small by one': () => forge({ local: { size: 4 }, central: { size: 4 } }),
  'a stored file of another size': () => forge({ method: 0, local: { size: 4 }, central: { size: 4 } }),
  'invalid deflate data': () => forge({ data: bytes('\xff\xff\xff\xff\xff') }),
  'deflate that is cut off': () => forge({ data: packedHello.subarray(0, -2) }),
  'bytes after the end of the deflate stream': () => forge({ data: Buffer.concat([packedHello, bytes('hidden')]) }),
  'a gigabyte that says it is small': () => forge({ data: deflateRawSync(Buffer.alloc(64 * 1024 ** 2)), local: { size: 500 }, central: { size: 500 } }),
  'a few bytes that say they are gigabytes': () => forge({ local: { size: 0x7fffffff }, central: { size: 0x7fffffff } }),
  '50,001 entries': () => forgeZip(Array.from({ length: 50_001 }, (_, index) => ({ name: `f${index}`, method: 0 }))),
};

describe('a bad archive is refused as FOLDER_ARCHIVE_INVALID in less than two seconds', () => {
  test.each(Object.keys(BAD))('%s', (kind) => {
    const archive = BAD[kind]?.() ?? Buffer.alloc(0);
    const spent = cpuMs(() => {
      const made = normaliseArchive(archive);
      expect(made).toMatchObject({ ok: false, error: { code: 'FOLDER_ARCHIVE_INVALID' } });
      if (!made.ok) expect(made.error.detail).toMatch(/^[A-Z].*\. Pack the folder again as a plain ZIP\.$/);
    });
    expect(spent).toBeLessThan(2_000);
  });
});

// biome-ignore format: a table
const GOOD: Readonly<Record<string, readonly [archive: () => Buffer, paths: readonly string[]]>> = {
  'one packed file': [() => forge({}), ['hello.txt']],
  'one stored file': [() => forge({ method: 0 }), ['hello.txt']],
  'an empty file': [() => forge({ bytes: '' }), ['hello.txt']],
  'an empty stored file': [() => forge({ bytes: '', method: 0 }), ['hello.txt']],
  'no files at all': [() => forgeZip([]), []],
  'a data descriptor with its signature': [() => forgeZip([{ ...hello, descriptor: 'signed' }, second]), ['hello.txt', 'second.txt']],
  'a data descriptor without a signature': [() => forgeZip([{ ...hello, descriptor: 'plain' }, second]), ['hello.txt', 'second.txt']],
  'a stored file with a data descriptor': [() => forge({ method: 0, descriptor: 'signed' }), ['hello.txt']],
  'a data descriptor that repeats what the header knows': [
    () => forge({ descriptor: 'signed', local: { crc: HELLO_CRC, packed: packedHello.length, size: 5 } }), ['hello.txt'],
  ],
  'an archive comment': [() => forge({}, { comment: bytes('3b18e512dba79e4c8300dd08aeb37f8e728b8dad') }), ['hello.txt']],
  'the longest comment': [() => forge({}, { comment: Buffer.alloc(0xffff, 32) }), ['hello.txt']],
  'a comment of a file': [() => forge({ central: { comment: bytes('note') } }), ['hello.txt']],
  'times in extra fields that differ between the headers': [
    () => forge({ local: { extra: extraField(0x5455, Buffer.alloc(9)) }, central: { extra: extraField(0x5455, Buffer.alloc(5)) } }), ['hello.txt'],
  ],
  'an unknown extra field': [() => forge({ extra: extraField(0xcafe) }), ['hello.txt']],
  'a directory in another order than the files': [
    () => forgeZip([{ ...hello, only: 'local' }, { ...second, central: { offset: helloEnd } }, { ...hello, only: 'central', central: { offset: 0 } }]),
    ['hello.txt', 'second.txt'],
  ],
  'folders': [() => forgeZip([{ name: 'a/' }, { name: 'a/b/', method: 0, central: unixMode(0o040755) }, { name: 'a/b/c', bytes: 'x' }]), ['a/b/c']],
  'a folder after what is in it': [() => forgeZip([{ name: 'a/b', bytes: 'x' }, { name: 'a/' }]), ['a/b']],
  'a name in UTF-8 with the flag': [() => forge({ name: 'фото/日本.txt', flags: 0x800 }), ['фото/日本.txt']],
  'a name in UTF-8 without the flag, as Finder writes it': [() => forge({ name: 'фото.txt' }), ['фото.txt']],
  'a Unicode name that agrees': [() => forge({ name: 'é.txt', extra: unicodePath('é.txt', 'é.txt') }), ['é.txt']],
  'a name that only looks like a way out': [() => named('a/...b/..c/d..'), ['a/...b/..c/d..']],
  'a name with a mark of byte order': [() => named('\ufeffa'), ['\ufeffa']],
  'attributes of DOS': [() => forge({ central: { attributes: 0x20 } }), ['hello.txt']],
  'a program': [() => forge({ central: unixMode(0o100755) }), ['hello.txt']],
  'an archive in the archive': [() => forge({ name: 'inner.zip', bytes: nested, method: 0 }), ['inner.zip']],
  'other versions needed in the two headers': [() => forge({ local: { version: 10 }, central: { version: 45 } }), ['hello.txt']],
  'levels of deflate in the flags': [() => forge({ flags: 2 }), ['hello.txt']],
  '50,000 entries': [() => forgeZip(Array.from({ length: 50_000 }, (_, index) => ({ name: `d/${String(index).padStart(5, '0')}`, method: 0 }))), Array.from({ length: 50_000 }, (_, index) => `d/${String(index).padStart(5, '0')}`)],
};

describe('an odd but valid archive is read', () => {
  test.each(Object.keys(GOOD))('%s', (kind) => {
    const [archive, paths] = GOOD[kind] ?? [() => Buffer.alloc(0), []];
    const read = readArchive(archive());
    expect(read.ok && read.value.map(({ path }) => path)).toEqual(paths);
  });
});

describe('whatever the bytes are', () => {
  const valid = forgeZip([hello, { ...second, descriptor: 'signed' }, { name: 'é/x', bytes: 'text '.repeat(50) }], {
    comment: bytes('note'),
  });

  test('a changed byte never gives a file that is not in the archive', () => {
    const before = new Map([
      ['hello.txt', 'hello'],
      ['second.txt', 'second'],
      ['é/x', 'text '.repeat(50)],
    ]);
    fc.assert(
      fc.property(fc.nat(valid.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const archive = Buffer.from(valid);
        archive[at] = (archive[at] ?? 0) ^ change;
        const read = readArchive(archive);
        if (!read.ok) expect(read.error.code).toBe('FOLDER_ARCHIVE_INVALID');
        else expect(read.value.map(({ size }) => size)).toEqual([...before.values()].map(({ length }) => length));
      }),
      { numRuns: lengthOf('RUNS', { short: 500, long: 5_000 }) },
    );
  });

  test('noise around a true end is refused without a crash', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(valid.length), (noise, at) => {
        const archive = Buffer.concat([valid.subarray(0, at), noise, valid.subarray(at)]);
        expect(readArchive(archive).ok).toBe(noise.length === 0);
      }),
      { numRuns: lengthOf('RUNS', { short: 300, long: 2_000 }) },
    );
  });
});
