/**
 * Finds what looks secret in a picture, of all or of the requested kinds, and saves a copy without it. The copy is read
 * again, and what is found then is hidden too; a copy in which it still finds
 * anything of these kinds is not saved.
 */
import { dirname, join } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { FoundSecret, Redaction, SecretKind } from '../../ipc/protocol/vision.ts';
import type { Random } from '../ports.ts';
import { checkNewFile, saveNewFile } from '../save-new-file.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import { findSecrets, joinFound } from './secrets/find-secrets.ts';
import type { VisionProcessClient } from './vision-process-client.ts';

export interface RedactDeps {
  readonly vision: Pick<VisionProcessClient, 'readThoroughly' | 'readEverywhere' | 'hide'>;
  readonly spoolDir: string;
  readonly random: Random;
}

export type Redact = (request: CommandInput<'vision.redact'>, signal: AbortSignal) => Promise<Result<Redaction>>;

/** Each hides what the one before left. */
const ROUNDS_MAX = 10;
const NOT_HIDDEN = err(
  failure('SECRETS_NOT_HIDDEN', 'After ten attempts, something in the redacted copy still looks secret.'),
);
const clipped = (found: FoundSecret, width: number, height: number): FoundSecret => ({
  ...found,
  width: Math.min(found.width, width - found.x),
  height: Math.min(found.height, height - found.y),
});

/** What looks secret in a picture, without hiding it. */
export const findSecretsInPicture = async (
  path: string,
  vision: Pick<VisionProcessClient, 'readThoroughly'>,
  signal: AbortSignal,
): Promise<Result<Redaction>> => {
  const read = await vision.readThoroughly(path, signal);
  if (!read.ok) return read;
  const { words, more, codes, missing, width, height } = read.value;
  return ok({ found: findSecrets([words, ...more], codes).map((one) => clipped(one, width, height)), missing });
};

export const createRedact =
  ({ vision, spoolDir, random }: RedactDeps): Redact =>
  async ({ path, kinds, out }, signal) => {
    const isAsked = ({ kind }: { readonly kind: SecretKind }): boolean => kinds?.includes(kind) ?? true;
    const free = out === null ? ok(null) : await checkNewFile(out);
    if (!free.ok) return free;
    const read = await vision.readThoroughly(path, signal);
    if (!read.ok) return read;
    const { words, more, codes, missing, width, height } = read.value;
    let found = findSecrets([words, ...more], codes).filter(isAsked);
    const draft = join(spoolDir, `${random.uuid()}${UNFINISHED}`);
    try {
      for (let round = 1; ; round++) {
        await rm(draft, { force: true });
        const hidden = await vision.hide(path, draft, found, signal);
        if (!hidden.ok) return hidden;
        const again = await vision.readEverywhere(draft, signal);
        if (!again.ok) return again;
        const left = findSecrets([again.value.words, ...again.value.more], again.value.codes).filter(isAsked);
        if (left.length === 0) break;
        if (round === ROUNDS_MAX) return NOT_HIDDEN;
        found = [...joinFound([...found, ...left])];
      }
      const shown = found.map((one) => clipped(one, width, height));
      if (out === null) return ok({ found: shown, missing });
      const saved = await saveNewFile(draft, out, { isPrivate: dirname(out) === spoolDir });
      return saved.ok ? ok({ found: shown, missing }) : saved;
    } finally {
      await rm(draft, { force: true });
    }
  };
