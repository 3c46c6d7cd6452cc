/**
 * Reads the configuration and the master keys from environment variables. Every key of the configuration file has a
 * variable, such as `LINKSHOT_SERVER_LIMITS_PARTS_AT_ONCE` for `limits.partsAtOnce`, which overrides the file.
 * `read-config.ts` refuses unknown variables that begin with `LINKSHOT_SERVER_`.
 */

const VARIABLE_PREFIX = 'LINKSHOT_SERVER_';
/** The master key itself, or several, newest first; `storage/load-master-keys.ts` reads them. */
const KEY_VARIABLES: readonly string[] = [`${VARIABLE_PREFIX}KEY`, `${VARIABLE_PREFIX}KEYS`];

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys of a configuration that have a value, as `limits.partsAtOnce`; a list is one value. */
export const configKeys = (config: object): readonly string[] =>
  Object.entries(config).flatMap(([name, value]) =>
    isRecord(value) ? configKeys(value).map((key) => `${name}.${key}`) : [name],
  );

const variableOf = (key: string): string =>
  VARIABLE_PREFIX +
  key
    .replaceAll('.', '_')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .toUpperCase();

/** JSON, or text: origins and paths need no quotes. */
const readingsOf = (text: string): readonly unknown[] => {
  try {
    return [JSON.parse(text), text];
  } catch {
    return [text];
  }
};

export interface Override {
  readonly variable: string;
  /** Undefined: the variable belongs to no key. */
  readonly key: string | undefined;
  /** What the variable may mean; the first one that is valid does: a name or a credential may look like a number. */
  readonly readings: readonly unknown[];
}

/**
 * Overrides from the environment for a configuration with `keys`, those of a group before the group's parts. An empty
 * variable is ignored.
 */
export const readOverrides = (
  environment: Readonly<Record<string, string | undefined>>,
  keys: readonly string[],
): readonly Override[] => {
  const byVariable = new Map(keys.map((key) => [variableOf(key), key]));
  return Object.entries(environment)
    .flatMap(([variable, text]) => {
      if (!variable.startsWith(VARIABLE_PREFIX) || KEY_VARIABLES.includes(variable) || !text) return [];
      return [{ variable, key: byVariable.get(variable), readings: readingsOf(text) }];
    })
    .toSorted((a, b) => (a.key?.length ?? 0) - (b.key?.length ?? 0));
};

/** A copy of `config` in which `key` has `value`. */
export const withValue = (config: unknown, key: string, value: unknown): Json => {
  const [name = '', ...rest] = key.split('.');
  const base = isRecord(config) ? config : {};
  return { ...base, [name]: rest.length === 0 ? value : withValue(base[name], rest.join('.'), value) };
};

/** The master keys in the environment; null: none is there. Throws when both variables are set. */
export const readKeyText = (environment: Readonly<Record<string, string | undefined>>): string | null => {
  const [text, ...more] = KEY_VARIABLES.flatMap((variable) => environment[variable] || []);
  if (more.length > 0) throw new Error(`Both ${KEY_VARIABLES.join(' and ')} are set; keep the one with all keys.`);
  return text ?? null;
};
