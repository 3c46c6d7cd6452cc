/**
 * Measures the disk usage of the profile, clears parts of the data on this computer, locates the app's folders, and
 * builds the diagnostics report.
 */

import { ok, type Result, unreachable } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import { Area } from '../../ipc/protocol/capture.ts';
import type { ClearedPart, ProfileUsage } from '../../ipc/protocol/commands/local-data.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { PicturesFolder } from '../capture/pictures-folder.ts';
import { saveFolderOf } from '../capture/save-copy.ts';
import type { CommandsOf } from '../command-types.ts';
import type { EngineState } from '../engine-interface.ts';
import type { Library } from '../library/library-store.ts';
import type { Thumbnails } from '../library/thumbnails.ts';
import type { OpenProfile } from '../profile/open-profile.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import { reportOf } from './diagnostics-report.ts';
import { measureProfile, removeLeftovers } from './disk-usage.ts';
import type { LocalDataApi } from './local-data-interface.ts';

export interface LocalDataDeps {
  readonly profileDir: string;
  readonly profile: OpenProfile;
  readonly pictures: PicturesFolder;
  readonly device: { readonly platform: string };
  readonly settings: () => Settings;
  readonly state: () => EngineState;
  /** The active one. */
  readonly account: () => AccountId | null;
  readonly library: Library;
  readonly thumbnails: Thumbnails;
  /** Discarded captures that can be restored; their files are in the spool. */
  readonly discarded: { files(): readonly string[]; clear(): Promise<void> };
  /** Renders the thumbnails that pending items still need. */
  readonly drawAgain: () => void;
  /** Removes finished items from the list. */
  readonly dismiss: CommandsOf<'queue'>['dismiss'];
  readonly problems: CommandsOf<'problem'>;
  /** Forgets the words in pictures. */
  readonly clearPictureWords: () => void;
  /** The library has been cleared. */
  readonly onForgotten: () => void;
}

export const createLocalDataCommands = (deps: LocalDataDeps): LocalDataApi => {
  const { profileDir, profile, library, thumbnails, settings, state } = deps;
  const lastRegion = createPersistedValue(profile, 'lastRegion', Area);
  const platform = deps.device.platform;

  const folderOf: LocalDataApi['folderOf'] = async (folder) =>
    folder === 'profile' ? profileDir : saveFolderOf({ pictures: deps.pictures, folder: settings().saveFolder });

  const usage = async (): Promise<ProfileUsage> => {
    const account = deps.account();
    return {
      folder: profileDir,
      captures: (await folderOf('captures')) ?? '',
      parts: await measureProfile(profileDir, deps.discarded.files()),
      links: library.count(),
      hasLastRegion: lastRegion.read() !== null,
      published: account === null ? [] : [...library.sizes(account)],
    };
  };

  const forgetThumbnails = async (): Promise<void> => {
    await thumbnails.clear();
    deps.drawAgain();
  };

  const clear = async (what: ClearedPart): Promise<Result<void>> => {
    switch (what) {
      case 'thumbnails':
        return ok(await forgetThumbnails());
      case 'history': {
        const dismissed = deps.dismiss({ ids: state().queue.items.map(({ id }) => id) });
        if (!dismissed.ok) return dismissed;
        library.clear();
        deps.clearPictureWords();
        deps.problems.forget({ ids: 'all' });
        await deps.discarded.clear();
        await forgetThumbnails();
        await profile.scrub();
        return ok(deps.onForgotten());
      }
      case 'lastRegion':
        return ok(lastRegion.clear());
      case 'discarded':
        return ok(await deps.discarded.clear());
      case 'leftovers':
        return ok(await removeLeftovers(profileDir));
      default:
        return unreachable(what);
    }
  };

  return {
    usage: async () => ok(await usage()),
    async clear({ what }) {
      const cleared = await clear(what);
      return cleared.ok ? ok(await usage()) : cleared;
    },
    report: async () =>
      ok({
        text: reportOf({ state: state(), parts: await measureProfile(profileDir, deps.discarded.files()), platform }),
      }),
    folderOf,
  };
};
