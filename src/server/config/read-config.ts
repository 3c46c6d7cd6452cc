/**
 * Reads the operator's configuration (API decisions 8) from a file and the environment, adds the defaults and
 * validates the result. An unknown key or an invalid value stops the start with a message that names it. `checkRole`
 * rejects a node role that needs PostgreSQL and S3 where either of them is not configured.
 */

import { Value } from 'typebox/value';
import { isWebAddress } from '../../api/service-address.ts';
import { withoutByteOrderMark } from '../../base/common/byte-order-mark.ts';
import { messageOf } from '../../base/common/error-text.ts';
import { readFileSync } from '../../base/node/retrying-fs.ts';
import { DEFAULT_CONFIG, DEFAULT_S3, type S3Config, ServerConfig } from './config.ts';
import { configKeys, readOverrides, withValue } from './environment-overrides.ts';

/** Keys with a variable of their own; those of `objects.s3` exist although it is null. */
const OWN_VARIABLE: readonly string[] = [
  ...configKeys(DEFAULT_CONFIG),
  ...configKeys(DEFAULT_S3).map((key) => `objects.s3.${key}`),
];

/** The configuration is invalid; the message is one sentence that names the key. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Throws `ConfigError` where a server alone would leave work undone. */
export const checkRole = ({ node, database, objects }: ServerConfig): void => {
  if (node.role === 'all' || (database.url !== null && objects.s3 !== null)) return;
  throw new ConfigError(
    `Configuration key "node.role" is "${node.role}", which needs other servers beside this one: configure database.url and objects.s3, or leave it at "all".`,
  );
};

/**
 * Reads and validates the file at `path`, if there is one, with the overrides of `environment`. Throws `ConfigError`.
 */
export const readConfig = (
  path: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): ServerConfig => {
  let input: unknown = path === null ? {} : readJson(path);
  let config = parseParts(input);
  for (const { variable, key, readings } of readOverrides(environment, OWN_VARIABLE)) {
    if (key === undefined) throw new ConfigError(`Unknown environment variable ${variable}.`);
    const inputs = readings.map((value) => withValue(input, key, value));
    input = inputs.find(isValid) ?? inputs[0];
    try {
      config = parseParts(input);
    } catch (error) {
      throw new ConfigError(`Environment variable ${variable}: ${messageOf(error)}`);
    }
  }
  checkS3(config.objects.s3);
  return config;
};

const readJson = (path: string): unknown => {
  let text: string;
  try {
    text = withoutByteOrderMark(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`The configuration file ${path} cannot be read: ${messageOf(error)}.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(`The configuration file ${path} is not JSON (${placeOfFault(text)}).`);
  }
};

const faultOf = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return messageOf(error);
  }
};

/** Where the text stops being JSON. The messages of the parser are not shown: they quote the text, which has secrets. */
const placeOfFault = (text: string): string => {
  const [, position] = /JSON at position (\d+) \(line \d+ column \d+\)$/.exec(faultOf(text)) ?? [];
  const before = text.slice(0, position === undefined ? lengthBeforeToken(text) : Number(position)).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
};

/** The parser gives no position of an unexpected token. The start of a text that is JSON has none. */
const lengthBeforeToken = (text: string): number => {
  let [fine, broken] = [0, text.length + 1];
  while (broken - fine > 1) {
    const middle = Math.floor((fine + broken) / 2);
    if (faultOf(text.slice(0, middle)).startsWith('Unexpected token')) broken = middle;
    else fine = middle;
  }
  return fine;
};

/** Merges the operator's values over the defaults and validates the result. Throws `ConfigError`. */
export const parseConfig = (input: unknown): ServerConfig => {
  const config = parseParts(input);
  checkS3(config.objects.s3);
  return config;
};

/** Like `parseConfig`; keys of `objects.s3` may still be missing. */
const parseParts = (input: unknown): ServerConfig => {
  if (!isRecord(input)) throw new ConfigError('The configuration must be a JSON object.');
  const hasS3 = isRecord(input['objects']) && isRecord(input['objects']['s3']);
  const config = over(hasS3 ? { ...DEFAULT_CONFIG, objects: { s3: DEFAULT_S3 } } : DEFAULT_CONFIG, input);
  if (!Value.Check(ServerConfig, config)) throw new ConfigError(firstFault(config));
  checkOrigin(config.web.origin);
  checkReportUrl(config.web.reportUrl);
  checkDatabaseUrl(config.database.url);
  return config;
};

const isValid = (input: unknown): boolean => {
  try {
    parseParts(input);
    return true;
  } catch {
    return false;
  }
};

/** Objects are merged key by key, everything else is replaced; an unknown key is kept for validation to name it. */
const over = (base: unknown, input: unknown): unknown => {
  if (!isRecord(base) || !isRecord(input)) return input;
  const keys = new Set([...Object.keys(base), ...Object.keys(input)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, Object.hasOwn(input, key) ? over(base[key], input[key]) : base[key]]),
  );
};

const firstFault = (config: unknown): string => {
  const [fault] = deepest(Value.Errors(ServerConfig, config));
  if (fault === undefined) return 'The configuration is not valid.';
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  if (fault.keyword === 'additionalProperties') {
    const unknown = String(fault.params.additionalProperties[0]);
    return `Unknown configuration key "${path === '' ? unknown : `${path}.${unknown}`}".`;
  }
  return `Configuration key "${path}" ${fault.message}.`;
};

type Fault = ReturnType<typeof Value.Errors>[number];

/** Unknown keys first: a misspelt key is reported as such and not as an invalid value. */
const deepest = (faults: readonly Fault[]): readonly Fault[] => {
  const unknown = faults.filter((fault) => fault.keyword === 'additionalProperties');
  return unknown.length > 0 ? unknown : faults;
};

const checkOrigin = (origin: string | null): void => {
  if (origin === null) return;
  if (!isWebAddress(origin) || new URL(origin).origin !== origin) {
    throw new ConfigError('Configuration key "web.origin" must be an origin like https://share.example.org.');
  }
};

const checkReportUrl = (template: string | null): void => {
  if (template === null) return;
  const text = template.replaceAll('{link}', 'link');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) {
    throw new ConfigError(
      'Configuration key "web.reportUrl" must be an address like https://example.org/report?link={link} or mailto:abuse@example.org.',
    );
  }
};

const variableOfSecret = (name: 'ACCESS_KEY_ID' | 'SECRET_ACCESS_KEY'): string => `LINKSHOT_SERVER_OBJECTS_S3_${name}`;

/** Says of each key what it must be; never shows a value, which may be a secret in the wrong place. */
const checkS3 = (s3: S3Config | null): void => {
  if (s3 === null) return;
  const url = URL.canParse(s3.endpoint) ? new URL(s3.endpoint) : null;
  const isAddress =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '');
  const rules: readonly (readonly [key: keyof S3Config, isFine: boolean, what: string])[] = [
    ['endpoint', isAddress, 'must be the address of an S3 store, like https://s3.example.org'],
    ['region', /^[\w-]+$/.test(s3.region), 'must be the name of a region, like us-east-1'],
    ['bucket', /^\w[\w.-]{1,253}\w$/.test(s3.bucket), 'must be the name of a bucket that exists'],
    [
      'prefix',
      s3.prefix === '' || /^\w[\w.-]*(\/\w[\w.-]*)*$/.test(s3.prefix),
      'must be empty or names of letters, digits and hyphens with slashes between them, like linkshot/files',
    ],
    ['accessKeyId', s3.accessKeyId !== '', `is missing; set it, or ${variableOfSecret('ACCESS_KEY_ID')}`],
    ['secretAccessKey', s3.secretAccessKey !== '', `is missing; set it, or ${variableOfSecret('SECRET_ACCESS_KEY')}`],
  ];
  const broken = rules.find(([, isFine]) => !isFine);
  if (broken !== undefined) throw new ConfigError(`Configuration key "objects.s3.${broken[0]}" ${broken[2]}.`);
};

/** The message never repeats the address, which contains a password. */
const checkDatabaseUrl = (url: string | null): void => {
  if (url === null) return;
  const { protocol, pathname } = URL.canParse(url) ? new URL(url) : { protocol: '', pathname: '' };
  if (!['postgres:', 'postgresql:'].includes(protocol) || pathname.length < 2) {
    throw new ConfigError(
      'Configuration key "database.url" must be an address like postgres://user:password@db.example.org:5432/linkshot.',
    );
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
