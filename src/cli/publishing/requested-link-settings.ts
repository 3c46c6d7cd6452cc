/**
 * The link settings that the options of a command request; they override those of a preset that an option names.
 * Prompts for the password if an option asks for it.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import { findPreset, type LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { CommandContext } from '../command-context.ts';
import { didYouMean } from '../did-you-mean.ts';
import { promptForSecret } from '../input/prompt-for-secret.ts';
import { ASK, type LinkValues, readPassword, settingsOf } from '../link-options.ts';

/** Errors of a password that is prompted for: COMMAND_INVALID where it is not valid, and those of the prompt. */
export const requestedSettings = async (
  options: LinkValues,
  context: CommandContext,
  signal: AbortSignal,
): Promise<Result<LinkSettings>> => {
  const now = new Date();
  if (options.password !== ASK) return ok(settingsOf(options, options.password, now));
  const entered = await promptForSecret(context, 'password', signal);
  if (!entered.ok) return entered;
  const read = readPassword(entered.value);
  return read.ok
    ? ok(settingsOf(options, read.value, now))
    : err(failure('COMMAND_INVALID', `The password ${read.error}.`));
};

/** Presets are known only to an open client. Errors: COMMAND_INVALID for an unknown preset. */
export type Share = (client: EngineClient) => Result<LinkSettings>;

export const requestedShare = async (
  options: LinkValues & { readonly preset: string | undefined },
  context: CommandContext,
  signal: AbortSignal,
): Promise<Result<Share>> => {
  const settings = await requestedSettings(options, context, signal);
  if (!settings.ok) return settings;
  return ok((client) => overPreset(options.preset, client.state().settings, settings.value));
};

const overPreset = (
  name: string | undefined,
  { presets }: Pick<Settings, 'presets'>,
  settings: LinkSettings,
): Result<LinkSettings> => {
  if (name === undefined) return ok(settings);
  const preset = findPreset(presets, name);
  if (preset) return ok({ ...preset.link, ...settings });
  const names = presets.map((one) => one.name);
  const near = didYouMean(name, names);
  const others = names.length > 0 ? ` Available: ${names.join(', ')}.` : '';
  return err(failure('COMMAND_INVALID', `Unknown preset "${name}".${near ? ` Did you mean ${near}?` : others}`));
};
