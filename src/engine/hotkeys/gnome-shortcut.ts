/**
 * Manages Linkshot's own custom shortcut in GNOME's settings: sets it when the user agrees, changes its keys, and
 * removes it without a trace. Never rewrites the shortcuts of others.
 */
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { lastStderrLine, type RunProgram, runProgramIn } from '../run-helper-program.ts';
import { desktopName, type Environment } from '../wayland/session-environment.ts';
import { type Modifier, parseAccelerator } from './accelerator.ts';
import { keysymName } from './keysym-names.ts';

export interface DesktopShortcut {
  /** Whether the desktop has it; null: its settings cannot be read. */
  isSet(): Promise<boolean | null>;
  /**
   * Sets or changes it. Errors: HOTKEY_INVALID, HOTKEY_TAKEN where another custom shortcut has these keys, APP_FAILED.
   */
  set(accelerator: string): Promise<Result<void>>;
  /** Errors: APP_FAILED. */
  remove(): Promise<Result<void>>;
}

export interface GnomeShortcutDeps {
  readonly environment: Environment;
  /** What the shell of the desktop runs. */
  readonly command: string;
}

const LIST = ['org.gnome.settings-daemon.plugins.media-keys', 'custom-keybindings'] as const;
const SHORTCUT = 'org.gnome.settings-daemon.plugins.media-keys.custom-keybinding';
const FOLDER = '/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/';
const OWN = `${FOLDER}linkshot/`;
const NAME = 'Linkshot';
const EMPTY = '@as []';

/** Variables by which `gsettings` finds the settings of this user; keys are not passed on. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'LANG', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_DIRS', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['GSETTINGS_BACKEND', 'GSETTINGS_SCHEMA_DIR', 'DCONF_PROFILE'],
];

/** Null: not GNOME. */
export const openGnomeShortcut = ({ environment, command }: GnomeShortcutDeps): DesktopShortcut | null => {
  if (desktopName(environment) !== 'GNOME') return null;
  const variables = PASSED_ON.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  return createGnomeShortcut(runProgramIn(Object.fromEntries(variables)), command);
};

class SettingsError extends Error {}

const createGnomeShortcut = (run: RunProgram, command: string): DesktopShortcut => {
  const gsettings = async (...words: readonly string[]): Promise<string> => {
    const done = await run('gsettings', words, new AbortController().signal);
    if (done.end === 'missing') throw new SettingsError('gsettings is not installed');
    if (done.end === 'failed') throw new SettingsError(lastStderrLine(done));
    return done.output.toString().trim();
  };
  const readList = () => gsettings('get', ...LIST);
  const read = (path: string, key: string) => gsettings('get', `${SHORTCUT}:${path}`, key);
  const write = async (key: string, value: string): Promise<void> => {
    await gsettings('set', `${SHORTCUT}:${OWN}`, key, value);
    // Without a bus gsettings warns and keeps nothing.
    if (parseString(await read(OWN, key)) !== parseString(value)) throw new SettingsError('the change was not kept');
  };
  const attempt = async (work: () => Promise<Result<void>>): Promise<Result<void>> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return err(failure('APP_FAILED', `The shortcuts of GNOME were not changed: ${error.message}. Try again.`));
    }
  };
  /** The name of the custom shortcut of another program with these keys. */
  const holderOf = async (list: string, binding: string): Promise<string | null> => {
    for (const path of pathsOf(list)) {
      if (path === OWN || parseString(await read(path, 'binding')).toLowerCase() !== binding.toLowerCase()) continue;
      return parseString(await read(path, 'name')) || path;
    }
    return null;
  };

  return {
    isSet: () => readList().then(hasOwn, () => null),
    set: (accelerator) =>
      attempt(async () => {
        const binding = bindingOf(accelerator);
        if (!binding.ok) return binding;
        const list = await readList();
        const holder = await holderOf(list, binding.value);
        if (holder !== null) return err(taken(accelerator, holder));
        // First, so that the desktop finds it whole.
        await write('name', quoted(NAME));
        await write('command', quoted(command));
        await write('binding', quoted(binding.value));
        if (hasOwn(list)) return ok(undefined);
        await gsettings('set', ...LIST, withOwn(list));
        if (!hasOwn(await readList())) throw new SettingsError('the change was not kept');
        return ok(undefined);
      }),
    remove: () =>
      attempt(async () => {
        const list = await readList();
        if (hasOwn(list)) {
          const rest = withoutOwn(list);
          if (rest === EMPTY) await gsettings('reset', ...LIST);
          else await gsettings('set', ...LIST, rest);
          if (hasOwn(await readList())) throw new SettingsError('the change was not kept');
        }
        await gsettings('reset-recursively', `${SHORTCUT}:${OWN}`);
        return ok(undefined);
      }),
  };
};

const taken = (accelerator: string, holder: string): Failure =>
  failure(
    'HOTKEY_TAKEN',
    `The custom shortcut "${holder}" of GNOME has ${accelerator} already. Choose another hotkey, or change that one.`,
    { params: { hotkey: accelerator } },
  );

// The text form of GSettings values. A list is changed as text, so that what others wrote stays as it is.

const ITEM = `'${OWN}'`;
const hasOwn = (list: string): boolean => list.includes(ITEM);
const withOwn = (list: string): string => (list === EMPTY ? `[${ITEM}]` : `${list.slice(0, -1)}, ${ITEM}]`);
const withoutOwn = (list: string): string => {
  if (list === `[${ITEM}]`) return EMPTY;
  return list.includes(`${ITEM}, `) ? list.replace(`${ITEM}, `, '') : list.replace(`, ${ITEM}`, '');
};

const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;
const pathsOf = (list: string): readonly string[] => (list.match(STRING) ?? []).map(parseString);
const parseString = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1');
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const MODIFIERS: Readonly<Record<Modifier, string>> = {
  Control: '<Control>',
  Alt: '<Alt>',
  Shift: '<Shift>',
  Super: '<Super>',
};

/** GNOME's form of a hotkey. Errors: HOTKEY_INVALID. */
const bindingOf = (accelerator: string): Result<string> => {
  const parsed = parseAccelerator(accelerator, 'linux');
  if (!parsed.ok) return parsed;
  const { modifiers, key } = parsed.value;
  return ok([...modifiers.map((modifier) => MODIFIERS[modifier]), keysymName(key)].join(''));
};
