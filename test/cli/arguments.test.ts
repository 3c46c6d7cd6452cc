/** Parsing command lines by the table, and the sentences for usage errors. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/command-definition.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { didYouMean } from '../../src/cli/did-you-mean.ts';

const read = (line: string, environment: Record<string, string> = {}) =>
  readArguments(line.split(' ').filter(Boolean), environment, COMMANDS);
const understood = (line: string, environment: Record<string, string> = {}) => {
  const result = read(line, environment);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const refusal = (line: string, environment: Record<string, string> = {}) => {
  const result = read(line, environment);
  return result.ok ? 'understood' : result.error.message;
};
/** Splits as a shell does, as far as the examples need. */
const shellWords = (line: string): string[] =>
  [...line.replace(/ [<>|].*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

describe('the table of commands', () => {
  it('names each command once', () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('gives an option of one name a value in every command or in none, because it may precede the command', () => {
    const values = new Map<string, boolean>();
    for (const options of [GLOBAL_OPTIONS, ...COMMANDS.map((one) => one.options)])
      for (const [name, option] of Object.entries(options)) {
        expect([name, values.get(name) ?? option.value !== null]).toEqual([name, option.value !== null]);
        values.set(name, option.value !== null);
      }
  });

  it.each(COMMANDS.map((one) => [one.name, one] as const))('understands the examples of %s', (_, one) => {
    expect(one.examples.length).toBeGreaterThan(0);
    for (const { words } of one.examples) {
      const result = readArguments(shellWords(words), {}, COMMANDS);
      expect(result.ok ? result.value.command.name : result.error.message).toBe(one.name);
    }
  });
});

describe('a command line', () => {
  it('has the same meaning wherever its options are placed', () => {
    for (const line of ['upload a.png b.png --json --ttl week', '--ttl week --json upload a.png b.png']) {
      const { command, given, output } = understood(line);
      expect([command.name, given.words, output]).toEqual(['upload', ['a.png', 'b.png'], 'json']);
      expect(given.options).toMatchObject({ ttl: 'week' });
    }
  });

  it.each([
    ['upload', ['a.png', ''], 'file'],
    ['folder', [''], 'dir'],
    ['note', [''], 'file'],
    ['rm', [''], 'id'],
    ['edit', ['abc', ''], 'file'],
    ['queue', ['cancel', ''], 'id'],
    ['connect', [''], 'url'],
  ])('of %s with an empty value is refused', (name, words, what) => {
    const result = readArguments([name, ...words], {}, COMMANDS);
    expect(result.ok ? 'understood' : result.error.message).toContain(
      `The ${what} must not be empty. Usage: linkshot ${name}`,
    );
  });

  it('takes `--` for the end of the options, and `-` for the standard input', () => {
    expect(understood('upload -- --odd.png').given.words).toEqual(['--odd.png']);
    expect(understood('note - --language go').given.words).toEqual(['-']);
    expect(understood('upload -- --json')).toMatchObject({ output: 'human', given: { words: ['--json'] } });
  });

  it('accepts a number below zero as the value of an option, such as a screen to the left', () => {
    expect(understood('capture --region -1920,0,800,600 --json').given.options).toMatchObject({
      region: { x: -1920, y: 0, width: 800, height: 600 },
    });
    expect(understood('upload a --title -5°C').given.options).toMatchObject({ title: '-5°C' });
  });

  it('takes an option whose value may be left out with it, or alone before another option and at the end', () => {
    const camera = (line: string) => understood(`record ${line}`).given.options['camera'];
    expect([camera('--camera'), camera('--camera --seconds 5'), camera('--seconds 5 --camera')]).toEqual([
      null,
      null,
      null,
    ]);
    expect([camera('--camera Webcam'), camera('--camera=-1'), camera('--seconds 5')]).toEqual([
      'Webcam',
      '-1',
      undefined,
    ]);
    expect(understood('record --screen 2 --camera').given.words).toEqual(['2']);
    expect(understood('upload -- --camera').given.words).toEqual(['--camera']);
    expect(refusal('record --camera=')).toContain('--camera needs the name of a camera, or no value');
    expect(refusal('upload a --camera')).toContain('linkshot upload does not take --camera');
  });

  it('reads link settings into what they mean', () => {
    const { given } = understood('upload a --views 3 --expires 12h --tags a,,b --one-time --downloads forbidden');
    expect(given.options).toMatchObject({
      views: 3,
      expires: { inMs: 12 * 3_600_000 },
      tags: ['a', 'b'],
      'one-time': true,
      downloads: 'forbidden',
    });
    expect(understood('set x --views none --expires none').given.options).toMatchObject({ views: null, expires: null });
    expect(understood('set x --expires 52000w').given.options).toMatchObject({
      expires: { inMs: 52_000 * 604_800_000 },
    });
    expect(understood('set x --expires 2027-01-31').given.options).toMatchObject({
      expires: { at: new Date('2027-01-31T00:00') },
    });
  });

  it('takes server, key, profile and password from the environment, and prefers the typed ones', () => {
    const environment = { LINKSHOT_SERVER: 'https://env', LINKSHOT_KEY: 'k1', LINKSHOT_PASSWORD: 'from the env' };
    expect(understood('upload a', environment)).toMatchObject({
      server: 'https://env',
      key: 'k1',
      keyFrom: 'environment',
    });
    expect(understood('upload a', environment).given.options).toMatchObject({ password: 'from the env' });
    expect(understood('upload a --server https://typed', environment).server).toBe('https://typed');
    expect(understood('upload a --server s --key k2', environment)).toMatchObject({ key: 'k2', keyFrom: 'arguments' });
    expect(understood('upload a --server s --key -').keyFrom).toBe('nowhere');
  });

  it('stores the key of the environment for the service of the environment alone, if there is one', () => {
    const LINKSHOT_KEY = 'k1';
    const both = { LINKSHOT_SERVER: 'https://env.example', LINKSHOT_KEY };
    for (const line of ['connect other.example', 'connect --server other.example', 'connect http://localhost'])
      expect([line, refusal(line, both)]).toEqual([
        line,
        expect.stringMatching(/^LINKSHOT_KEY is for https:\/\/env\.example .* --key -/),
      ]);
    expect(understood('connect other.example', { LINKSHOT_KEY }).key).toBe('k1');
    for (const line of ['connect https://env.example/', 'connect --server env.example', 'connect'])
      expect(understood(line, both).key).toBe('k1');
    expect(understood('connect other.example --key k2', both).key).toBe('k2');
    expect(understood('connect other.example', { ...both, LINKSHOT_KEY: ' ' }).key).toBeUndefined();
  });

  it('takes the names of this machine for one service where the port is the same', () => {
    const both = { LINKSHOT_SERVER: 'localhost:8090/base', LINKSHOT_KEY: 'k1' };
    for (const same of ['http://127.0.0.1:8090/base', '[::1]:8090/base', 'localhost:8090/base/'])
      expect(understood(`connect ${same}`, both).key).toBe('k1');
    for (const other of ['127.0.0.1:8091/base', '127.0.0.1:8090', '127.0.0.2:8090/base', 'https://localhost:8090/base'])
      expect(refusal(`connect ${other}`, both)).toContain(`is not sent to ${other}`);
  });

  it('trims white space around a key, and refuses a key that cannot be sent', () => {
    expect(understood('upload a --server s', { LINKSHOT_KEY: 'lsk_1\n' }).key).toBe('lsk_1');
    expect(understood('upload a', { LINKSHOT_KEY: ' \n' }).key).toBeUndefined();
    for (const key of ['ключ', 'lsk_1 lsk_2', 'lsk_1\nlsk_2']) {
      const sentence = refusal('upload a --server s', { LINKSHOT_KEY: key });
      expect(sentence).toContain('Copy it again');
      expect(sentence).not.toContain(key);
    }
  });

  it('never takes the password of the environment for a wish to change one', () => {
    expect(understood('set x --ttl day', { LINKSHOT_PASSWORD: 'from the env' }).given.options).not.toHaveProperty(
      'password',
    );
  });

  it('prints the help for --help anywhere in it, and the version for --version', () => {
    expect(understood('--help').command.name).toBe('help');
    expect(understood('upload --help').given.words).toEqual(['upload']);
    expect(understood('set --nothing-else --help'.replace('--nothing-else ', '')).given.words).toEqual(['set']);
    expect(understood('--version').command.name).toBe('version');
  });
});

describe('a mistyped command line', () => {
  it.each([
    ['', /No command given/],
    ['uplaod a.png', /Unknown command "uplaod".*Did you mean upload\?/],
    ['whatever', /Unknown command "whatever".*Available: upload, folder/],
    ['upload', /Missing file\. Usage: linkshot upload FILE/],
    ['folder', /Missing dir\. Usage: linkshot folder DIR/],
    ['edit id', /Missing file/],
    ['status x', /takes no arguments/],
    ['show a b', /Unexpected argument "b"/],
    ['queue paus', /Unknown argument "paus" of linkshot queue.*Did you mean pause\?/],
    ['completion tcsh', /Unknown argument "tcsh" of linkshot completion/],
    ['upload x --sever y', /--sever.*Did you mean --server\?/],
    ['status --title x', /linkshot status does not take --title/],
    ['upload x --visibility friends', /--visibility must be one of private, unlisted, public, not "friends"/],
    ['upload x --ttl', /^--ttl needs a value\. See/],
    ['upload x --title --json', /^--title needs a value\. Write a value that starts with a dash as --title=-/],
    ['upload x --json=1', /^--json takes no value\./],
    ['status --profile=', /^--profile needs a value/],
    ['upload x --server= --key k', /^--server needs a value/],
    ['upload x --views 0', /--views must be a number from 1 to 1,000,000/],
    ['upload x --ttl day --expires none', /Use either --ttl or --expires/],
    ['upload x --expires soon', /--expires must be a duration/],
    ['upload x --expires 2027-99-99', /--expires must be a duration/],
    ['upload x --expires 2027-02-30', /--expires must be a duration/],
    ['upload x --expires 2027-01-31T18:00x', /--expires must be a duration/],
    ['upload x --expires 2027-02-29T10:00', /--expires must be a duration/],
    ['upload x --expires 999999w', /--expires must be within 1,000 years, or none, not "999999w"/],
    ['upload x --expires 9999-12-31T23:59-12:00', /--expires must be within 1,000 years/],
    ['list --limit many', /--limit must be a whole number of at least 1, not "many"/],
    ['list --limit 0', /--limit must be a whole number of at least 1, not "0"/],
    ['list --limit 1234567890', /--limit must be a whole number/],
    ['edit abc a.md --revision 1.5', /--revision must be a whole number of at least 1, not "1.5"/],
    ['animate a.mp4 --fps 0', /--fps must be a whole number from 1 to \d+, not "0"/],
    ['animate a.mp4 --plays 99999999', /--plays must be a whole number from 1 to \d+, not/],
    ['list --since yesterday', /--since must be a day/],
    ['list --since 2027-02-30', /--since must be a day/],
    ['upload x --server https://x', /LINKSHOT_KEY/],
    ['upload x --key k', /--server/],
  ])('%s', (line, sentence) => {
    expect(refusal(line)).toMatch(sentence);
  });

  it('is refused with the limit of the service when it is too long, counted in characters', () => {
    const title = '👍'.repeat(181);
    expect(refusal(`upload x --title ${title}`)).toBe('--title can have at most 180 characters, not 181.');
    expect(refusal(`upload x --tags ${'a,'.repeat(11)}`)).toMatch(/at most 10 tags, not 11/);
    expect(refusal(`upload x --tags ${'t'.repeat(33)}`)).toMatch(/at most 32 characters each/);
  });

  it('never repeats a password, wherever it came from', () => {
    expect(refusal('upload x --password hunter2')).toBe('--password must have 8 to 128 characters, not 7.');
    expect(refusal('upload x', { LINKSHOT_PASSWORD: 'hunter2' })).toBe(
      'LINKSHOT_PASSWORD must have 8 to 128 characters, not 7.',
    );
  });

  it('is answered with a sentence and never a crash, whatever the arguments are', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...COMMANDS.map(({ name }) => name),
        '--json',
        '--help',
        '--ttl',
        'day',
        '--',
        '-',
        '--no-such',
        '',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const result = readArguments(words, {}, COMMANDS);
        if (!result.ok) expect(result.error.message).toMatch(/\S/);
        const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
        expect((result.ok ? result.value : result.error).output).toBe(options.includes('--json') ? 'json' : 'human');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the word that was probably meant', () => {
  it('is near: a letter more, less, another, two swapped, or its beginning', () => {
    const words = ['upload', 'status', 'resume', 'folder'];
    expect(['uploads', 'uplod', 'upload', 'ulpoad', 'stat', 'foldre'].map((word) => didYouMean(word, words))).toEqual([
      ...['upload', 'upload', 'upload', 'upload', 'status', 'folder'],
    ]);
  });

  it('is omitted where nothing is close', () => {
    expect(['x', 'delete', ''].map((word) => didYouMean(word, ['upload', 'rm', 'status']))).toEqual([null, null, null]);
  });
});
