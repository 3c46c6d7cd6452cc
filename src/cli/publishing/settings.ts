/** The link settings of a run: those of the options, with the password asked for where that is wanted. */
import type { ShareFields } from '../../contract/content.ts';
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import { askSecret } from '../input/ask.ts';
import { ASK, type LinkValues, readPassword, shareOf } from '../link-options.ts';
import type { Surroundings } from '../surroundings.ts';

/** Errors: CANCELLED and COMMAND_INVALID, when no good password was entered. */
export const askedShare = async (
  options: LinkValues,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Result<ShareFields>> => {
  if (options.password !== ASK) return ok(shareOf(options, options.password));
  const asked = await askSecret(surroundings, 'Password of the link', signal);
  if (!asked.ok) return asked;
  const read = readPassword(asked.value);
  return read.ok ? ok(shareOf(options, read.value)) : err(failure('COMMAND_INVALID', `The password ${read.error}.`));
};
