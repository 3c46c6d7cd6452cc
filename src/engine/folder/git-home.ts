/** Locates the settings and ignore files that the user's own git reads for every folder. git need not be installed. */
import { existsSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { type Lookup, programPaths, variableIn, windowsProgram } from '../../base/node/run-program.ts';
import { isTrue } from '../../common/folder/git-config-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface GitHome {
  /** The folder that `~/` stands for; null where the environment names none. */
  readonly dir: string | null;
  /** The user's name, where `~name/` may stand for it too. */
  readonly user: string | null;
  /** The folder that `%(prefix)/` stands for; null where no git is found. */
  readonly prefix: string | null;
  /** Settings of the system, then of the user, whether or not they exist; the last one counts. */
  readonly configs: readonly string[];
  /** Ignore files of the user where no setting names one. git reads one of them, by its version: all of them count. */
  readonly ignoreFiles: readonly string[];
  readonly platform: NodeJS.Platform;
}

/** As Git for Windows does: a service's home is in System32, and a home on a share may be out of reach. */
const windowsHome = (environment: Environment, { exists }: Lookup): string | undefined => {
  const [drive, path] = ['HOMEDRIVE', 'HOMEPATH'].map((name) => variableIn(environment, name));
  const home = drive && path ? drive + path : null;
  const isOfService = home && win32.relative(home, windowsProgram('', environment)) === '';
  return home && !isOfService && exists(home) ? home : variableIn(environment, 'USERPROFILE');
};

/** Where a `git.exe` is in an installation. One in the root of a drive does not count: any user may write beside it. */
const INSTALLED = /^(.+?[\\/][^\\/]+?)[\\/]+(?:(?:mingw64|mingw32|clangarm64|ucrt64|usr)[\\/]+)?(?:cmd|bin)$/i;

interface Installation {
  readonly prefix: string | null;
  readonly configs: readonly string[];
}

const NOT_FOUND: Installation = { prefix: null, configs: [] };

const windowsInstallation = (environment: Environment, { platform, exists }: Lookup): Installation => {
  const usual = [
    [variableIn(environment, 'PROGRAMFILES'), 'Git'],
    [variableIn(environment, 'LOCALAPPDATA'), 'Programs\\Git'],
  ].flatMap(([folder, name]) => (folder && name ? win32.join(folder, name, 'cmd\\git.exe') : []));
  const folder = [...programPaths('git.exe', environment, platform), ...usual]
    .filter(exists)
    .flatMap((path) => INSTALLED.exec(win32.dirname(path))?.[1] ?? [])[0];
  if (folder === undefined) return NOT_FOUND;
  const prefixes = ['mingw64', 'clangarm64', 'mingw32'].map((name) => win32.join(folder, name));
  return { prefix: prefixes.find(exists) ?? null, configs: [win32.join(folder, 'etc\\gitconfig')] };
};

const installation = (environment: Environment, { platform, exists }: Lookup): Installation => {
  const path = programPaths('git', environment, platform).find(exists);
  const prefix = path === undefined ? null : (/^(.+)\/s?bin$/.exec(posix.dirname(path))?.[1] ?? '/usr');
  const own = prefix === null || prefix === '/usr' ? [] : [posix.join(prefix, 'etc/gitconfig')];
  return { prefix, configs: ['/etc/gitconfig', ...own] };
};

/** Looks at the disk. The environment is that of the user's commands. */
export const gitHomeOf = (
  environment: Environment,
  lookup: Lookup = { platform: process.platform, exists: existsSync },
): GitHome => {
  const isWindows = lookup.platform === 'win32';
  const variable = (name: string): string | undefined =>
    isWindows ? variableIn(environment, name) : environment[name];
  const dir = variable('HOME') || (isWindows && windowsHome(environment, lookup)) || null;
  const { prefix, configs } = (isWindows ? windowsInstallation : installation)(environment, lookup);

  const configDir = variable('XDG_CONFIG_HOME');
  const appData = isWindows && !configDir ? variable('APPDATA') : undefined;
  const userDirs = [
    ...(configDir ? [join(configDir, 'git')] : dir === null ? [] : [join(dir, '.config/git')]),
    ...(appData ? [join(appData, 'Git')] : []),
  ];
  const own = [...userDirs.map((folder) => join(folder, 'config')), ...(dir === null ? [] : [join(dir, '.gitconfig')])];
  const ofSystem = [variable('GIT_CONFIG_SYSTEM') ?? configs].flat();
  const ofUser = [variable('GIT_CONFIG_GLOBAL') ?? own].flat();
  return {
    dir,
    user: (isWindows ? null : variable('USER')) || null,
    prefix,
    configs: [...(isTrue(variable('GIT_CONFIG_NOSYSTEM')) ? [] : ofSystem), ...ofUser].filter(
      // On Windows it would be a file of the current drive.
      (path) => path !== '' && path !== '/dev/null',
    ),
    ignoreFiles: userDirs.map((folder) => join(folder, 'ignore')),
    platform: lookup.platform,
  };
};
