/** Parts of electron-builder, at the version that packs the app, and the configuration as it parses it. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');

const ofBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));
const ofLibrary = createRequire(ofBuilder.resolve('app-builder-lib/package.json'));

export interface BuilderConfig {
  readonly appId: string;
  readonly files: readonly { readonly filter: readonly string[] }[];
  readonly [key: string]: unknown;
}

interface ConfigTools {
  getConfig(project: string, path: string, from: object): Promise<BuilderConfig>;
  validateConfiguration(config: unknown, log: { readonly isEnabled: boolean }): Promise<void>;
}

const tools = ofLibrary('./out/util/config/config.js') as ConfigTools;

export const builderConfig = (): Promise<BuilderConfig> => tools.getConfig(root, 'electron-builder.yml', {});

/** Validates with electron-builder's own schema; rejects an invalid configuration. */
export const validateConfig = (config: unknown): Promise<void> =>
  tools.validateConfiguration(config, { isEnabled: false });

interface FileMatcher {
  createFilter(): (path: string, stat: { isDirectory(): boolean }) => boolean;
}
type MakesFileMatcher = new (
  from: string,
  to: string,
  expand: (pattern: string) => string,
  patterns: readonly string[],
) => FileMatcher;
const { FileMatcher } = ofLibrary('./out/fileMatcher.js') as { FileMatcher: MakesFileMatcher };

/**
 * Whether a file of node_modules is packed for a platform such as `win32`, `x64`; `path` is relative to the project.
 */
export const packsFor = async (platform: string, arch: string): Promise<(path: string) => boolean> => {
  const { files } = await builderConfig();
  const expand = (pattern: string): string => pattern.replace(/\$\{platform\}/g, platform).replace(/\$\{arch\}/g, arch);
  // Like electron-builder for packages: what is not excluded is packed.
  const excluded = files.flatMap(({ filter }) => filter).filter((pattern) => pattern.startsWith('!'));
  const filter = new FileMatcher(root, root, expand, ['**/*', ...excluded]).createFilter();
  return (path) => filter(resolve(root, path), { isDirectory: () => false });
};

export interface Asar {
  listPackage(path: string, options: { readonly isPack: boolean }): string[];
  extractAll(path: string, to: string): void;
}
export const asar = ofLibrary('@electron/asar') as Asar;

export const parseYaml = (text: string): unknown =>
  (ofLibrary('js-yaml') as { load(text: string): unknown }).load(text);

/** The entry file of `electron-builder`. */
export const builderProgram = ofBuilder.resolve('./cli.js');

interface Fuses {
  getCurrentFuseWire(program: string): Promise<Readonly<Record<string, number>>>;
  readonly FuseV1Options: Readonly<Record<string, number | string>>;
}
export const fuses = ofLibrary('@electron/fuses') as Fuses;
