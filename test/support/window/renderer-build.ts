/**
 * The renderer build as shipped, or with only its transport replaced by the double. It is built once per content of its
 * sources, and concurrent callers share one build.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig, type Plugin } from 'vite';
import shipping from '../../../electron.vite.config.ts';
import { RUN_ADDRESS } from '../browser/chromium.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** All that the built window is made of. */
const SOURCES = [
  ...['../../../src/renderer', '../../../src/base', '../../../src/api', '../../../src/common', '../../../src/ipc'].map(
    path,
  ),
  ...[
    './app-state.ts',
    './page-transport.ts',
    '../server/model-account.ts',
    '../audit/pseudo-locale.ts',
    './renderer-build.ts',
  ].map(path),
  ...['../../../electron.vite.config.ts', '../../../package-lock.json', '../../../resources/licences.txt'].map(path),
];
const KEPT = path('../../../node_modules/.cache/linkshot-window');
/** No run of the tests takes longer. */
const KEPT_MS = 60 * 60_000;

const DOUBLE = `
import * as make from ${JSON.stringify(path('./app-state.ts'))};
import { createPageTransportDouble } from ${JSON.stringify(path('./page-transport.ts'))};
window.make = make;
window.double = createPageTransportDouble();
export const createPageTransport = () => window.double;
`;

/** English, or a pseudo-translation of it when the page requests that. */
const ENGLISH = `
import { en as spoken } from ${JSON.stringify(path('../../../src/renderer/locales/en.ts'))};
import { pseudo } from ${JSON.stringify(path('../audit/pseudo-locale.ts'))};
const disguised = pseudo(spoken);
export const en = new Proxy(spoken, { get: (_, name) => (window.isPseudo ? disguised : spoken)[name] });
`;

const withDouble: Plugin = {
  name: 'page-transport-double',
  enforce: 'pre',
  resolveId: (source, importer) => {
    if (source.endsWith('/ipc/client/create-page-transport.ts')) return '\0double';
    return source === './en.ts' && importer?.endsWith('/locales/load-catalogue.ts') ? '\0english' : null;
  },
  load: (id) => (id === '\0double' ? DOUBLE : id === '\0english' ? ENGLISH : null),
};

/** A test runner names an environment of its own, and React would then be its slower double. */
const buildAsShipped = async (config: InlineConfig): Promise<void> => {
  const environment = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build(config);
  } finally {
    process.env['NODE_ENV'] = environment;
  }
};

const filesOf = (source: string): readonly string[] =>
  statSync(source).isDirectory()
    ? readdirSync(source, { recursive: true, encoding: 'utf8' })
        .toSorted()
        .map((name) => join(source, name))
        .filter((file) => statSync(file).isFile())
    : [source];

const contentHash = (): string => {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf)) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 32);
};

const forgetOld = (): void => {
  for (const name of readdirSync(KEPT)) {
    const folder = join(KEPT, name);
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - used > KEPT_MS) rmSync(folder, { recursive: true, force: true });
  }
};

const config = shipping as { readonly renderer: InlineConfig };

/** The folder with the built pages. `shipped` has a manifest of its chunks beside them. */
export const buildRenderer = async (which: 'shipped' | 'with-double'): Promise<string> => {
  const run = process.env[RUN_ADDRESS];
  if (run === undefined) return buildHere(which);
  const answer = await fetch(`${run}/window/${which}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
};

const buildHere = async (which: 'shipped' | 'with-double'): Promise<string> => {
  const folder = join(KEPT, `${which}-${contentHash()}`);
  if (!existsSync(folder)) {
    const { renderer } = config;
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(KEPT, { recursive: true });
    await buildAsShipped({
      ...renderer,
      ...{ configFile: false, logLevel: 'error', base: '../' },
      plugins: [...(which === 'with-double' ? [withDouble] : []), ...(renderer.plugins ?? [])],
      build: {
        ...renderer.build,
        ...{ outDir: unfinished, emptyOutDir: true, chunkSizeWarningLimit: 2_000, manifest: which === 'shipped' },
      },
    });
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another process was first with the very same; anything else would show when the pages are asked for.
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
    forgetOld();
  }
  utimesSync(folder, new Date(), new Date());
  return folder;
};
