/**
 * `node scripts/licences.ts`: writes resources/licences.txt, the licences of everything in a packed app: the packages
 * in its bundles, the native programs of every platform, Electron, and ffmpeg. `--check` writes nothing and fails if
 * the file is outdated. Run it after a dependency has changed.
 */
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

interface Manifest {
  readonly license?: string;
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name: string };
}

const root = resolve(import.meta.dirname, '..');
const target = join(root, 'resources/licences.txt');
const read = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n').trim();
const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages;

/** The parts of the sources that a packed app is built from. */
const PARTS = 'src/{base,api,common,ipc,main,preload,renderer,engine,host,server,cli}/**/*.{ts,tsx}';
/** `debug` uses it if it is installed, which it is during the build: so a bundle contains it. */
const FOUND_BY_OTHERS = ['supports-color'];
const PLATFORMS = ['win32', 'linux', 'darwin'];
const PROCESSORS = ['x64', 'arm64'];
/** Packages that only one platform packs (electron-builder.yml). */
const ONLY_ON: Readonly<Record<string, string>> = { 'ffi-rs': 'win32' };

/** Packages whose files are loaded by path. */
const BY_PATH = ['tesseract.js-core', '@tesseract.js-data/eng'];

/** Packages that the sources import; Electron has a section of its own. */
const imported = (): readonly string[] => {
  const names = globSync(PARTS, { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/(?:\bfrom |\bimport\(|^import )'((?:@[\w.-]+\/)?[a-z][\w.-]*)[^'\n:]*'/gm)].map(
      ([, name]) => name ?? '',
    ),
  );
  return [...new Set([...names, ...BY_PATH])]
    .filter((name) => name !== 'electron' && locked[`node_modules/${name}`])
    .sort();
};

/** Where Node would find it: beside its dependent, or further up. */
const placeOf = (name: string, from: string): string | null => {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const place = `${folder}/node_modules/${name}`.replace(/^\//, '');
    if (locked[place]) return place;
    if (!folder.includes('/node_modules/')) break;
  }
  return locked[`node_modules/${name}`] ? `node_modules/${name}` : null;
};

const isPackedSomewhere = ({ os, cpu, libc }: Locked): boolean =>
  (os?.some((each) => PLATFORMS.includes(each)) ?? true) &&
  (cpu?.some((each) => PROCESSORS.includes(each)) ?? true) &&
  !(libc?.length === 1 && libc[0] === 'musl');

const isBroughtBy = (name: string, part: string | null): boolean => {
  const platform = ONLY_ON[name];
  if (platform === undefined || part === null) return true;
  return locked[part]?.os?.includes(platform) === true && !part.includes('-ia32-');
};

/** Folders of all packages that are packed on any platform. */
const packed = (): readonly string[] => {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const place = placeOf(name, from);
    const entry = place === null ? undefined : locked[place];
    if (place === null || !entry || found.has(place) || !isPackedSomewhere(entry)) return;
    found.add(place);
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      if (isBroughtBy(nameOf(place), placeOf(next, place))) visit(next, place);
  };
  for (const name of [...imported(), ...FOUND_BY_OTHERS]) visit(name, '');
  return [...found].sort();
};

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

const manifestOf = (place: string): Manifest => JSON.parse(read(`${place}/package.json`)) as Manifest;

const PERMISSION = read('LICENSE').replace(/^MIT License\n\nCopyright.*\n\n/, '');

/** Its licence text; libvips lists its parts in its README; null: only the licence's name is known. */
const textOf = (place: string): string | null => {
  if (!existsSync(join(root, place))) return null;
  const names = readdirSync(join(root, place));
  const own = names.filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  if (own.length > 0) return own.map((name) => read(`${place}/${name}`)).join('\n\n');
  if (nameOf(place).startsWith('@img/')) return read(`${place}/README.md`);
  const { license, author } = manifestOf(place);
  if (license !== 'MIT') throw new Error(`${place} brings no text of its licence (${license}).`);
  const holder = typeof author === 'object' ? author.name : author?.replace(/ *[<(].*/, '');
  return `MIT License\n\nCopyright (c) ${holder ?? `the authors of ${nameOf(place)}`}\n\n${PERMISSION}`;
};

const kindOf = (place: string): string => {
  const kind =
    locked[place]?.license ??
    manifestOf(place)
      .licenses?.map(({ type }) => type)
      .join(' or ');
  if (!kind) throw new Error(`${place} does not say its licence.`);
  return kind;
};

const section = (titles: readonly string[], text: string): string => `${titles.join('\n')}\n\n${text}\n`;

const write = (): string => {
  const byText = new Map<string, string[]>();
  const native: string[] = [];
  for (const place of packed()) {
    const { version, os } = locked[place] ?? {};
    const title = `${nameOf(place)} ${version} (${kindOf(place)})`;
    // The installed ones differ between computers; this file must not.
    if (os) native.push(title);
    else {
      const text = textOf(place);
      if (text === null) throw new Error(`${place} is not installed. Run: npm ci`);
      // Two packages may each contain their own copy of a third one.
      byText.set(text, [...new Set([...(byText.get(text) ?? []), title])]);
    }
  }
  const about = packed().find((place) => /sharp-(libvips|win32)/.test(place) && existsSync(join(root, place)));
  if (!about) throw new Error('The native programs of sharp are not installed. Run: npm ci');
  const electron = `Electron ${locked['node_modules/electron']?.version} (MIT)`;
  return [
    section(['Linkshot (MIT)'], read('LICENSE')),
    section(
      [electron],
      `${read('node_modules/electron/LICENSE')}\n\nThe licences of Chromium, which it is made with, are in LICENSES.chromium.html beside the program.`,
    ),
    ...[...byText].map(([text, titles]) => section(titles, text)),
    section(
      ['Native programs, of which the package for your computer brings its own:', ...native],
      `Their licences stand with sharp, @napi-rs/keyring and below. The key store names the Rust crates that it is made of, with their licences, in LICENSE.third-party.md inside the app. What libvips is made of:\n\n${textOf(about)}`,
    ),
    section(
      ['ffmpeg (GPL-3.0-or-later), where this package brings one'],
      'It lies in the folder ffmpeg, as a program of its own, with notes on where it and its sources come from.',
    ),
    section(['GNU Lesser General Public License, version 3'], read('packaging/licences/LGPL-3.0.txt')),
    section(['GNU General Public License, version 3'], read('packaging/licences/GPL-3.0.txt')),
  ].join(`\n${'-'.repeat(80)}\n\n`);
};

const text = write();
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('resources/licences.txt is not current. Run: node scripts/licences.ts');
  process.exitCode = 1;
}
