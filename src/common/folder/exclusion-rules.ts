/**
 * Decides which files of a code folder are excluded, by their paths and by the names of the files around them (API
 * document, "Folder result"; API decisions 7). The app filters with these rules before it zips, and the server filters
 * again. Also calculates the depth of a folder.
 */

import type { SkipReason } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { isSecretFolderName, isSecretName } from './detect-secrets.ts';

/** Why a path is excluded, and the extent: `path` is the file, or a whole folder when it ends with '/'. */
export interface ExcludedPath {
  readonly path: string;
  readonly reason: SkipReason;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Version control, editor state, and what Finder adds to a ZIP. */
const SERVICE = words('.git .svn .hg .bzr .jj _darcs .idea .vs __macosx');

const DEPENDENCIES = words(`
  node_modules bower_components jspm_packages .pnpm-store .venv venv .virtualenv virtualenv site-packages __pypackages__
  .tox .nox .eggs .bundle pods carthage elm-stuff .dart_tool .pub-cache .terraform
`);

const BUILD = words(`
  dist build out target coverage htmlcov .nyc_output .next .nuxt .output .svelte-kit .angular .astro .docusaurus .expo
  .vercel .netlify .serverless .aws-sam .turbo .vite .webpack .parcel-cache .cache .sass-cache storybook-static
  __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .ipynb_checkpoints .gradle deriveddata .build
  cmakefiles cmake-build-debug cmake-build-release _build dist-newstyle .stack-work .zig-cache zig-cache zig-out
  bazel-bin bazel-out bazel-testlogs
`);

/** `vendor` is also a name for own code; beside or around one of these files, a package manager fills it. */
const VENDOR_SIGNS =
  /(^|\/)(composer\.(json|lock)|go\.(mod|work)|gemfile|cargo\.toml|vendor\/(autoload\.php|modules\.txt))$/i;
const VENDOR_INSIDE = words('bundle cache');
/** `bin` and `obj` are build output beside a project file of .NET. */
const DOTNET_SIGNS = /\.(cs|fs|vb|vcx)proj$/i;
/** A folder with this file is a Python environment, regardless of its name. */
const VENV_SIGN = /(^|\/)pyvenv\.cfg$/;

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

type FolderReason = Extract<SkipReason, 'service' | 'dependencies' | 'build' | 'secret'>;

/**
 * Finds the folders whose meaning depends on the files beside or in them. Folder paths end with '/', the root is ''.
 */
const readSigns = (paths: Iterable<string>) => {
  const vendors = new Set<string>();
  const dotnet = new Set<string>();
  const venvs = new Set<string>();
  for (const path of paths) {
    const vendor = VENDOR_SIGNS.exec(path)?.[2];
    if (vendor) vendors.add(path.slice(0, path.length - vendor.length));
    if (DOTNET_SIGNS.test(path)) dotnet.add(parentOf(path));
    if (VENV_SIGN.test(path)) venvs.add(parentOf(path));
  }
  return { vendors, dotnet, venvs };
};

/** What the files of a folder reveal about the folders beside them. */
export interface Signs {
  readonly isVendor: boolean;
  readonly isDotnet: boolean;
}

/** What the file names of one folder reveal about its sibling folders and about the folder itself. */
export const signsOf = (names: readonly string[], above: Signs) => {
  const here = readSigns(names);
  const isFilledVendor = readSigns(names.map((name) => `vendor/${name}`)).vendors.has('');
  return {
    beside: { isVendor: here.vendors.has(''), isDotnet: here.dotnet.has('') },
    inside: { isVendor: above.isVendor || isFilledVendor, isDotnet: above.isDotnet, isVenv: here.venvs.has('') },
  };
};

/** The depth of a folder; its path ends with '/'. */
export const levelsOf = (path: string): number => path.split('/').length - 1;

/**
 * Why a whole folder is excluded. `parent` is the path of its parent folder, `signs` what the files in and around it
 * reveal.
 */
export const folderReason = (
  name: string,
  parent: string,
  signs: { readonly isVendor: boolean; readonly isDotnet: boolean; readonly isVenv: boolean },
): FolderReason | null => {
  const lower = name.toLowerCase();
  if (SERVICE.has(lower)) return 'service';
  if (DEPENDENCIES.has(lower) || signs.isVenv) return 'dependencies';
  if (lower === 'vendor' && signs.isVendor) return 'dependencies';
  if (VENDOR_INSIDE.has(lower) && /(^|\/)vendor\/$/i.test(parent)) return 'dependencies';
  if (BUILD.has(lower) || lower.endsWith('.egg-info')) return 'build';
  if ((lower === 'bin' || lower === 'obj') && signs.isDotnet) return 'build';
  return isSecretFolderName(name) ? 'secret' : null;
};

/** As `folderReason`, before what is in the folder is known: it alone says whether `.env` is a Python environment. */
export const folderReasonOutside = (
  name: string,
  parent: string,
  beside: Signs,
  isIgnored: boolean,
): FolderReason | null => {
  const reason = folderReason(name, parent, { ...beside, isVenv: false });
  return reason === 'secret' && !isIgnored ? null : reason;
};

/** Whether a folder with these files is secret by its name; a Python environment may have such a name too. */
export const isSecretFolder = (name: string, files: readonly { readonly name: string }[]): boolean =>
  isSecretFolderName(name) && !files.some((file) => VENV_SIGN.test(file.name));

const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[1-9¹²³]) *(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses them
const FORBIDDEN = /[<>:"|?*\\\u0000-\u001f]|[. ]$/;

/** Whether Windows can create a file or folder of this name. */
const isWindowsName = (name: string): boolean => !RESERVED.test(name) && !FORBIDDEN.test(name);

const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** Applies the path rules to one folder. `paths` are its files, relative to its root, with '/'. */
export const createPathRules = (paths: Iterable<string>) => {
  const signs = readSigns(paths);

  const reasonOf = (name: string, parent: string, path: string): FolderReason | null =>
    folderReason(name, parent, {
      isVendor: signs.vendors.has(parent),
      isDotnet: signs.dotnet.has(parent),
      isVenv: signs.venvs.has(path),
    });

  const inFolder = (path: string): ExcludedPath | null => {
    const found = new Map<FolderReason, string>();
    let start = 0;
    // Deeper paths are excluded anyway, for their depth.
    for (let level = 0; level < LIMITS.folderDepth; level += 1) {
      const slash = path.indexOf('/', start);
      if (slash < 0) break;
      const folder = path.slice(0, slash + 1);
      const reason = reasonOf(path.slice(start, slash), path.slice(0, start), folder);
      if (reason && !found.has(reason)) found.set(reason, folder);
      start = slash + 1;
    }
    for (const reason of ['service', 'dependencies', 'build', 'secret'] as const) {
      const folder = found.get(reason);
      if (folder !== undefined) return { path: folder, reason };
    }
    return null;
  };

  return {
    /** The checks before .gitignore: service, dependencies, build, secret. */
    before: (path: string): ExcludedPath | null => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      // In a work tree or a submodule `.git` is a file.
      if (SERVICE.has(name.toLowerCase())) return { path, reason: 'service' };
      return inFolder(path) ?? (isSecretName(name) ? { path, reason: 'secret' } : null);
    },
    /** The checks after .gitignore: name, path. */
    after: (path: string): ExcludedPath | null => {
      const names = path.split('/');
      const bad = names.findIndex((name) => !isWindowsName(name));
      if (bad >= 0) {
        const reason = 'name';
        return bad === names.length - 1 ? { path, reason } : { path: `${names.slice(0, bad + 1).join('/')}/`, reason };
      }
      const isTooFar = names.length > LIMITS.folderDepth || characters(path) > LIMITS.folderPathCharacters;
      return isTooFar ? { path, reason: 'path' } : null;
    },
  };
};
