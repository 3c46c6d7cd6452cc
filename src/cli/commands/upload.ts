/**
 * `linkshot upload`: publishes files as links. Every file gets exactly one result, in the order of the arguments. With
 * --dry-run it only shows how each file would be converted.
 */
import { randomUUID } from 'node:crypto';
import { glob, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { FitChoice } from '../../ipc/protocol/queue-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { choice, command, flag, text } from '../command-definition.ts';
import { STANDARD_INPUT } from '../input/read-text-argument.ts';
import { receiveFile } from '../input/standard-input.ts';
import { ASK, PUBLISH_OPTIONS } from '../link-options.ts';
import type { Report } from '../output/command-output.ts';
import { printable } from '../output/format.ts';
import { formatFound, noteMissing } from '../output/found-secrets.ts';
import { formatPreview, isRefused } from '../output/prepared-file-summary.ts';
import { CLEAR_LINE } from '../output/progress-line.ts';
import { type EnqueueOptions, enqueueInput, enqueuePath, enqueueSpooled } from '../publishing/enqueue.ts';
import { type Entry, publish } from '../publishing/publish.ts';
import { requestedShare } from '../publishing/requested-link-settings.ts';

const PATTERN = /[*?]|\[[^\]]+\]|\{[^}]*,[^}]*\}/;

// Expands words on the command line to files: themselves, or the matches of a pattern that the shell did not expand.

interface NamedFile {
  /** As typed, or as matched by the pattern. */
  readonly name: string;
  readonly path: Result<string>;
}

/**
 * A word that is an existing file means that file, whatever characters it has. A pattern yields its matches sorted by
 * name, without folders; `glob` leaves out hidden files and folders that the pattern does not name, as a shell does.
 */
const filesOf = async (word: string, cwd: string): Promise<readonly NamedFile[]> => {
  const path = resolve(cwd, word);
  return PATTERN.test(word) && (await kindOf(path)) === null
    ? matches(word, cwd)
    : [{ name: word, path: await checked(path) }];
};

/** What the path is; null if it does not exist. */
const kindOf = async (path: string): Promise<'folder' | 'other' | null> => {
  const facts = await stat(path).catch(() => null);
  if (!facts) return null;
  return facts.isDirectory() ? 'folder' : 'other';
};

/** A folder is never published implicitly: `upload *` must not share the code beside the pictures. */
const checked = async (path: string): Promise<Result<string>> =>
  (await kindOf(path)) === 'folder'
    ? err(failure('SOURCE_NOT_A_FILE', 'This is a folder.', { params: { kind: 'folder' } }))
    : ok(path);

const matches = async (pattern: string, cwd: string): Promise<readonly NamedFile[]> => {
  const found: string[] = [];
  for await (const name of glob(pattern, { cwd })) {
    if ((await kindOf(resolve(cwd, name))) === 'other') found.push(name);
  }
  if (found.length === 0)
    return [{ name: pattern, path: err(failure('SOURCE_MISSING', 'No file matches.', { params: { pattern } })) }];
  return found.sort().map((name) => ({ name, path: ok(resolve(cwd, name)) }));
};

type Enter = (client: EngineClient, how: EnqueueOptions) => Promise<Result<ItemId>>;

const FITS: readonly FitChoice[] = ['smaller', 'balanced', 'sharper', 'clip'];
/** Name of the input if none is given. */
const NAMELESS = 'stdin';
const NO_PREVIEW = 'The preview of --dry-run needs files; write the standard input into one first.';

export const upload = command({
  name: 'upload',
  summary: 'upload files and print their links',
  group: 'Share',
  arguments: [
    {
      name: 'FILE',
      summary:
        'images and videos; `-` is the standard input; patterns such as *.png work even in shells that do not expand them',
      count: 'one or more',
      offers: 'files',
    },
  ],
  options: {
    ...PUBLISH_OPTIONS,
    'dry-run': flag('only show how each file would be converted, and how long that takes; nothing is sent'),
    fit: choice('HOW', FITS, 'how a video or image that is too large is converted; balanced by default'),
    redact: flag('first hide what looks secret in the images; see linkshot help redact', {
      clashes: { 'dry-run': 'Use linkshot redact FILE --dry-run to see what would be hidden.' },
    }),
    name: text('NAME', 'name for the standard input'),
  },
  description: [
    'Waits until every file is published and prints the links in the order of the files. Files that the service would refuse are converted automatically; the originals are never changed.',
    'After Ctrl+C or a network failure, the data sent so far is kept: the same command, or linkshot resume, continues from there and publishes nothing twice.',
    'Folders are not uploaded; use linkshot folder DIR.',
  ],
  json: [
    '{"id","url","name","size","type"} for each file, with "made" if a converted file was sent instead, and the number "hidden" with --redact;',
    'or {"error":{"code","message","file"}}. With --dry-run: {"name","preview"} for each.',
  ],
  examples: [
    { words: 'upload shot.png', does: 'prints its link' },
    { words: 'upload talk.mov --fit smaller --ttl week', does: 'a video reduced in size, deleted after a week' },
    { words: 'upload shot.png --redact', does: 'without e-mail addresses, keys, passwords and other secrets' },
    { words: 'upload talk.mov --dry-run', does: 'a preview of the conversion' },
    { words: 'upload *.png --password - --tags trip,2026', does: 'prompts for the password of the links' },
    { words: 'upload - --name plot.png --copy < plot.png', does: 'output of another program, link on the clipboard' },
  ],
  run: async ({ words, options }, context, signal) => {
    const { report, cwd, input } = context;
    if (options['dry-run']) {
      if (words.includes(STANDARD_INPUT)) return report.usageError(failure('COMMAND_INVALID', NO_PREVIEW));
      return previewConversions(words, options.fit ?? null, context, signal);
    }
    if (options.password === ASK && words.includes(STANDARD_INPUT) && !input.isWatched) {
      const detail = 'The standard input is already used for the file. Set the password in LINKSHOT_PASSWORD.';
      return report.usageError(failure('COMMAND_INVALID', detail));
    }
    const share = await requestedShare(options, context, signal);
    if (!share.ok) return report.failed(null, share.error);
    const entering =
      (enter: Enter): Entry['enter'] =>
      async (client) => {
        const link = share.value(client);
        return link.ok ? enter(client, { share: link.value, job: { kind: 'file', fit: options.fit ?? null } }) : link;
      };

    const entries: Entry[] = [];
    for (const word of words) {
      if (word === STANDARD_INPUT) {
        const name = options.name ?? NAMELESS;
        entries.push(
          options.redact
            ? redactedEntry(name, entering, (client) => receiveFile(input, client, signal), 'received', report)
            : { name, enter: entering((client, how) => enqueueInput(client, input, name, how, signal)) },
        );
        continue;
      }
      for (const { name, path } of await filesOf(word, cwd))
        entries.push(
          options.redact
            ? redactedEntry(name, entering, async () => path, 'of the user', report)
            : {
                name,
                enter: entering(async (client, how) => (path.ok ? enqueuePath(client, path.value, how) : path)),
              },
        );
    }
    await publish(entries, options, context, signal);
  },
});

/** Publishes a copy of an image in which what looks secret is hidden; nothing of the original is sent. */
const redactedEntry = (
  name: string,
  entering: (enter: Enter) => Entry['enter'],
  find: (client: EngineClient) => Promise<Result<string>>,
  owner: 'of the user' | 'received',
  report: Report,
): Entry => {
  let hidden = 0;
  const enter: Enter = async (client, how) => {
    const path = await find(client);
    if (!path.ok) return path;
    const folder = await client.call('intake.folder', {});
    if (!folder.ok) return folder;
    const out = join(folder.value.path, randomUUID());
    const redacted = await client.call('vision.redact', { path: path.value, out });
    if (owner === 'received') await rm(path.value, { force: true });
    if (!redacted.ok) return redacted;
    hidden = redacted.value.found.length;
    report.note(`${printable(name)}: ${formatFound(redacted.value.found, 'hidden')}`);
    noteMissing(redacted.value.missing, report);
    return enqueueSpooled(client, out, `${name.slice(0, name.length - extname(name).length)}.png`, how);
  };
  return { name, enter: entering(enter), more: () => ({ hidden }) };
};

/** The preview depends on the limits of the account. */
const previewConversions = (
  words: readonly string[],
  fit: FitChoice | null,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> =>
  withEngine(context, 'given', signal, async (client) => {
    const { report, cwd, terminal } = context;
    for (const word of words) {
      for (const { name, path } of await filesOf(word, cwd)) {
        // For a video, encodes a sample, which takes some seconds.
        terminal?.write(`Analysing ${printable(name)}`);
        const preview = path.ok ? await client.call('fit.previewPath', { path: path.value, fit }) : path;
        terminal?.write(CLEAR_LINE);
        if (!preview.ok) {
          report.failed(name, preview.error);
          continue;
        }
        if (isRefused(preview.value)) report.markFailed();
        report.say(
          { name, preview: preview.value },
          `${report.style.bold(printable(name))}  ${formatPreview(preview.value)}`,
        );
      }
    }
    return DONE;
  });
