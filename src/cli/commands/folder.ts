/**
 * `linkshot folder`: publishes the code in a folder as a link. With --dry-run it only shows what is included and what
 * is excluded, and why.
 */

import { resolve } from 'node:path';
import { LIMITS } from '../../api/limits.ts';
import type { ExcludedEntry, FolderPreview } from '../../common/folder/folder-preview.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command, flag } from '../command-definition.ts';
import { errorMessageOf } from '../error-messages.ts';
import { PUBLISH_OPTIONS } from '../link-options.ts';
import type { Report } from '../output/command-output.ts';
import { columns, formatBytes, formatCount, printable, type Style } from '../output/format.ts';
import { enqueuePath } from '../publishing/enqueue.ts';
import { publish } from '../publishing/publish.ts';
import { requestedShare } from '../publishing/requested-link-settings.ts';

const REASONS: Readonly<Record<ExcludedEntry['reason'], string>> = {
  service: 'version control or editor',
  dependencies: 'dependencies',
  build: 'build output',
  secret: 'secret',
  gitignore: 'ignored by git',
  name: 'a name that Windows does not allow',
  path: 'path too deep or too long',
  large: `over ${formatBytes(LIMITS.folderFileBytes)}`,
  binary: 'not text',
  duplicate: 'differs only by case',
  link: 'a symbolic link',
  special: 'a device, pipe or socket',
  unreadable: 'cannot be read',
  encoding: 'a name that is not UTF-8',
  repository: 'a nested repository',
};

/** Excluded paths that are listed; beyond this number, users inspect the folder itself. */
const LISTED_MAX = 2_000;

/** The preview of a folder: the tree of included files, the list of excluded ones with reasons, and the limits. */
const reportFolderPreview = (report: Report, preview: FolderPreview): void => {
  const { style } = report;
  if (preview.refusal) report.markFailed();
  report.say(preview, null);
  report.text(
    [
      `${style.bold(printable(preview.name))}  ${formatCount(preview.files, 'file')}, ${formatBytes(preview.textBytes)}`,
      ...tree(preview.goes, style),
      ...excludedLines(preview, style),
      '',
      ...verdict(preview, style),
    ].join('\n'),
  );
};

interface Branch {
  readonly folders: Map<string, Branch>;
  readonly files: { readonly name: string; readonly size: number }[];
}

const branch = (): Branch => ({ folders: new Map(), files: [] });

const tree = (goes: FolderPreview['goes'], style: Style): readonly string[] => {
  const root = branch();
  for (const { path, size } of goes) {
    const names = path.split('/');
    const name = names.pop() ?? path;
    let at = root;
    for (const folder of names) {
      const next = at.folders.get(folder) ?? branch();
      at.folders.set(folder, next);
      at = next;
    }
    at.files.push({ name, size });
  }
  return columns(rows(root, '', style));
};

const rows = ({ folders, files }: Branch, indent: string, style: Style): string[][] => {
  const entries = [
    ...[...folders].map(([name, inside]) => ({ text: style.bold(`${printable(name)}/`), size: '', inside })),
    ...files.map(({ name, size }) => ({ text: printable(name), size: style.dim(formatBytes(size)), inside: null })),
  ];
  return entries.flatMap(({ text, size, inside }, index) => {
    const isLast = index === entries.length - 1;
    const own = [`${style.dim(`${indent}${isLast ? '└─ ' : '├─ '}`)}${text}`, size];
    return [own, ...(inside ? rows(inside, `${indent}${isLast ? '   ' : '│  '}`, style) : [])];
  });
};

const excludedLines = ({ skipped, skippedFiles }: FolderPreview, style: Style): readonly string[] => {
  if (skipped.length === 0) return [];
  const listed = skipped.slice(0, LISTED_MAX);
  const lines = listed.map(({ path, reason, files, size, rule }) => [
    `   ${reason === 'secret' ? style.warn(printable(path)) : printable(path)}`,
    style.dim(
      rule ? `${REASONS[reason]}: ${printable(rule.pattern)} in ${printable(rule.file)}:${rule.line}` : REASONS[reason],
    ),
    style.dim(
      [path.endsWith('/') && files !== null ? formatCount(files, 'file') : '', size === null ? '' : formatBytes(size)]
        .filter((word) => word !== '')
        .join(', '),
    ),
  ]);
  const shown = listed.reduce((sum, { files }) => sum + (files ?? 0), 0);
  const more =
    skippedFiles > shown ? [style.dim(`   and ${formatCount(skippedFiles - shown, 'more file', 'more files')}`)] : [];
  return ['', style.bold('Stays on this computer'), ...columns(lines), ...more];
};

const verdict = ({ refusal, archiveBytesAtMost, gitignore }: FolderPreview, style: Style): readonly string[] => [
  ...(gitignore === 'complex'
    ? [style.warn('The .gitignore is too complex and is not applied: check the included files.')]
    : []),
  refusal
    ? style.bad(`The folder cannot be shared. ${errorMessageOf(refusal, 'nothing')}`)
    : style.good(
        `The folder can be shared; the archive will be at most ${formatBytes(archiveBytesAtMost)}. Nothing was sent.`,
      ),
];

export const folder = command({
  name: 'folder',
  summary: 'share a folder of code',
  group: 'Share',
  arguments: [{ name: 'DIR', summary: 'the folder', count: 'one', offers: 'folders' }],
  options: {
    'dry-run': flag('only show what is included and what is excluded, and why; nothing is sent'),
    ...PUBLISH_OPTIONS,
  },
  description: [
    'Git-ignored files, dependencies, build output, version control data, secrets, and everything except text stay on this computer; the service applies the same rules again.',
    'The dry run needs no network and no key.',
  ],
  json: [
    '{"id","url","name","size","type","made"}, where "made" lists the included files and the excluded ones with their reasons.',
    'With --dry-run one document: {"name","files","textBytes","goes":[{"path","size"}],"skipped":[{"path","reason","files","size","rule"}],"skippedFiles","gitignore","archiveBytesAtMost","refusal"}.',
  ],
  examples: [
    { words: 'folder . --dry-run', does: 'what would be shared from this folder' },
    { words: 'folder ~/project --title "The parser" --ttl week', does: 'shared for a week' },
  ],
  run: async ({ words: [name = '.'], options }, context, signal) => {
    const { report, cwd } = context;
    const path = resolve(cwd, name);
    if (options['dry-run'])
      return withEngine(context, 'none', signal, async (client) => {
        const preview = await client.call('folder.previewPath', { path });
        if (!preview.ok) {
          const { error } = preview;
          report.failed(name, { ...error, params: { ...error.params, name } });
          return DONE;
        }
        reportFolderPreview(report, preview.value);
        return DONE;
      });

    const share = await requestedShare(options, context, signal);
    if (!share.ok) return report.failed(null, share.error);
    const enter = async (client: EngineClient) => {
      const link = share.value(client);
      return link.ok ? enqueuePath(client, path, { share: link.value, job: { kind: 'folder' } }) : link;
    };
    await publish([{ name, enter }], options, context, signal);
  },
});
