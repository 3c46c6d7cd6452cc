/**
 * `linkshot redact`: hides what looks secret in a picture and saves the result as a new PNG. With --dry-run it only
 * lists what it would hide.
 */
import { extname, resolve } from 'node:path';
import { failure, type Result } from '../../api/errors.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { FoundSecret } from '../../ipc/protocol/vision.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command, flag, parsed, text } from '../command-definition.ts';
import { STANDARD_INPUT } from '../input/read-text-argument.ts';
import { readKinds, SECRET_KINDS } from '../input/redact-kinds-option.ts';
import { receiveFile } from '../input/standard-input.ts';
import { printable } from '../output/format.ts';
import { formatFound, noteMissing } from '../output/found-secrets.ts';

const placesOf = (found: readonly FoundSecret[]): string =>
  found.map(({ kind, x, y, width, height }) => `${kind.padEnd(8)}  ${x},${y},${width},${height}`).join('\n');

export const redact = command({
  name: 'redact',
  summary: 'hide what looks secret in an image',
  group: 'Share',
  arguments: [{ name: 'FILE', summary: 'an image; `-` is the standard input', count: 'one', offers: 'files' }],
  options: {
    out: text('OUT', 'the new file, which must not exist; its name ends with .png', { offers: 'files' }),
    kinds: parsed('LIST', `only these, separated by commas: ${SECRET_KINDS.join(', ')}`, readKinds),
    'dry-run': flag('only list what would be hidden, with its position; nothing is saved'),
  },
  description: [
    `Finds ${SECRET_KINDS.join(', ')}: in text and in codes, on this computer. Each is covered by a black box in a new PNG without metadata; all other pixels stay as they are. The original is not changed.`,
    'Check the result before you share it: no program recognizes every secret.',
  ],
  json: [
    '{"found":[{"kind","x","y","width","height","confidence"}],"out","missing"}, in pixels of the image; "out" is null with --dry-run; "missing" lists languages that are not installed. Or {"error":{"code","message","file"}}.',
  ],
  examples: [
    { words: 'redact shot.png --out clean.png', does: 'a copy without secrets' },
    { words: 'redact shot.png --dry-run', does: 'what would be hidden, and where' },
    { words: 'redact - --out clean.png --kinds email,phone < shot.png', does: 'only these kinds' },
  ],
  run: async ({ words, options }, context, signal) => {
    const { report, cwd } = context;
    const [file = ''] = words;
    const isDry = options['dry-run'] === true;
    if (!isDry && options.out === undefined)
      return report.usageError(failure('COMMAND_INVALID', 'Specify the new file: --out FILE.png. Or use --dry-run.'));
    if (options.out !== undefined && extname(options.out).toLowerCase() !== '.png')
      return report.usageError(
        failure(
          'COMMAND_INVALID',
          'The name of the new file must end with .png: other formats would change the rest of the image.',
        ),
      );
    await withEngine(context, 'none', signal, async (client) => {
      const received: Result<string> | null =
        file === STANDARD_INPUT ? await receiveFile(context.input, client, signal) : null;
      if (received && !received.ok) return received;
      const path = received ? received.value : resolve(cwd, file);
      const out = isDry || options.out === undefined ? null : resolve(cwd, options.out);
      const result = await client.call('vision.redact', { path, out, ...(options.kinds && { kinds: options.kinds }) });
      if (received) await rm(path, { force: true });
      if (!result.ok) {
        report.failed(result.error.code === 'SAVE_FAILED' ? (options.out ?? null) : file, result.error);
        return DONE;
      }
      const { found, missing } = result.value;
      const told = out === null ? [placesOf(found)].filter(Boolean) : [`Saved as ${printable(options.out ?? '')}.`];
      report.say(
        { found, out: out === null ? null : options.out, missing },
        [`${formatFound(found, out === null ? 'found' : 'hidden')}`, ...told].join('\n'),
      );
      noteMissing(missing, report);
      return DONE;
    });
  },
});
