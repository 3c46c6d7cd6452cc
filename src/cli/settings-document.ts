/**
 * The settings as a versioned document for export and import. Reading validates every field: an invalid one is named
 * and nothing is applied; fields that this version does not know are listed.
 */

import { Value } from 'typebox/value';
import { err, failure, ok, type Result } from '../api/errors.ts';
import { withoutByteOrderMark } from '../base/common/byte-order-mark.ts';
import { Settings } from '../ipc/protocol/settings.ts';
import { splitKnown } from '../ipc/protocol/split-known.ts';

const KIND = 'linkshot-settings';
const VERSION = 1;

export interface SettingsDocument {
  readonly kind: typeof KIND;
  readonly version: typeof VERSION;
  readonly settings: Settings;
}

export const settingsDocument = (settings: Settings): SettingsDocument => ({ kind: KIND, version: VERSION, settings });

export interface ReadSettings {
  readonly settings: Partial<Settings>;
  /** Fields that this version does not know, such as `sound` or `presets.0.link.opens`; they are ignored. */
  readonly unknown: readonly string[];
}

const FIELDS = Settings.properties;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (detail: string): Result<never> => err(failure('COMMAND_INVALID', detail));

/** Errors: COMMAND_INVALID with a sentence. */
export const readSettingsDocument = (text: string): Result<ReadSettings> => {
  let document: unknown;
  try {
    document = JSON.parse(withoutByteOrderMark(text));
  } catch {
    return invalid('This is not JSON, so it is not a settings file from linkshot export.');
  }
  if (!isRecord(document) || document['kind'] !== KIND || !isRecord(document['settings']))
    return invalid('This is not a settings file from linkshot export.');
  if (document['version'] !== VERSION)
    return invalid(
      `These settings have version ${String(document['version'])}; this Linkshot supports ${VERSION}. Update Linkshot.`,
    );
  return checkedSettings(document['settings']);
};

/** Validates each field by its own schema. Errors: COMMAND_INVALID that names the field. */
export const checkedSettings = (given: Readonly<Record<string, unknown>>): Result<ReadSettings> => {
  const known = Object.entries(given).filter(([name]) => Object.hasOwn(FIELDS, name));
  for (const [name, value] of known)
    if (!Value.Check(FIELDS[name as keyof typeof FIELDS], value))
      return invalid(`Invalid value ${JSON.stringify(value)} for the setting ${name}; nothing was changed.`);
  const { known: settings, unknown } = splitKnown(Settings, given);
  return ok({ settings: settings as Partial<Settings>, unknown });
};
