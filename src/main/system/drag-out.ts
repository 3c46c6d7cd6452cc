/** Attaches the user's file of a queue item to a drag out of the window. The page names an item, never a path. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { nativeImage } from 'electron';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Engine } from '../../engine/engine.ts';
import type { MainWindow } from '../windows/main-window.ts';

/** Size of the drag icon in logical pixels. */
const ICON_SIZE = 64;

export interface DragOutDeps {
  readonly engine: Pick<Engine, 'state'>;
  readonly window: Pick<MainWindow, 'window'>;
  readonly iconDir: string;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Only a file of the user: the app's own files are temporary. Errors: SOURCE_MISSING. */
export const createDragOut = ({ engine, window, iconDir }: DragOutDeps): ((id: ItemId) => Result<void>) => {
  const icon = nativeImage.createFromPath(join(iconDir, 'icon.png')).resize({ width: ICON_SIZE, height: ICON_SIZE });
  return (id) => {
    const item = engine.state().queue.items.find((known) => known.id === id);
    const shown = window.window();
    const isTheirs = item?.source.owner === 'user' && item.job.kind === 'file' && isFile(item.source.path);
    if (!shown || !isTheirs) return err(failure('SOURCE_MISSING', 'The file no longer exists.'));
    shown.webContents.startDrag({ file: item.source.path, icon });
    return ok(undefined);
  };
};
