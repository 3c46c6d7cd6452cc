/**
 * `linkshot folder`: publishes the code in a folder as a link. Reports what is excluded because it must not leave the
 * machine.
 */
import { resolve } from 'node:path';
import type { EngineClient } from '../client/engine-client.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command, flag } from '../command.ts';
import { PUBLISH_OPTIONS } from '../link-options.ts';
import { reportFolderPreview } from '../output/folder.ts';
import { enqueuePath } from '../publishing/enqueue.ts';
import { publish } from '../publishing/publish.ts';
import { requestedShare } from '../publishing/requested-settings.ts';

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
    'Git-ignored files, dependencies, build output, version control, secrets, and everything except text stay on this computer; the service applies the same rules again.',
    'The dry run needs no network and no key.',
  ],
  json: [
    '{"id","url","name","size","type","made"}, where "made" lists the included files and the excluded ones with their reasons.',
    'With --dry-run one document: {"name","files","textBytes","goes":[{"path","size"}],"skipped":[{"path","reason","files","size","rule"}],"skippedFiles","gitignore","archiveBytesAtMost","refusal"}.',
  ],
  examples: [
    { words: 'folder . --dry-run', does: 'what would be shared of this folder' },
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
