/**
 * Defines what the engine needs from the computer that it runs on: profile, files, API client, screen capturer,
 * ffmpeg, and the preparation of items for upload. `nodeEngineAdapters` implements it on Node with the ports of the
 * host. Tests may pass other adapters.
 */

import { freeBytes } from '../base/node/free-bytes.ts';
import { open } from '../base/node/retrying-fs.ts';
import { createOpenClient, type OpenClient } from './account/account-session.ts';
import { openScreenCapturer } from './capture/open-screen-capturer.ts';
import type { EngineDeps } from './engine-interface.ts';
import { gitHomeOf } from './folder/git-home.ts';
import { warmDecoder } from './image/sharp-decoder.ts';
import { createThumbnails, type Thumbnails } from './library/thumbnails.ts';
import type { Cameras, InputDisplay, ScreenCapturer } from './ports.ts';
import { createPreparation } from './prepare-item.ts';
import type { OpenProfile } from './profile/open-profile.ts';
import { openSpool, type Spool } from './profile/spool.ts';
import { createCameras } from './recording/camera/camera-devices.ts';
import { openInputDisplay } from './recording/input-display/open-input-display.ts';
import { readSettings } from './settings/settings-store.ts';
import { type HashPart, hashPartOnThread } from './upload/manifest.ts';
import { createOpenFileCache, type OpenFileCache } from './upload/open-file-cache.ts';
import type { Prepare, PreviewFit } from './upload/preparation-types.ts';
import { createOpenSource, fileStateAt, isFolder, type OpenSourceAt, systemFileTimes } from './upload/upload-source.ts';
import { createFindFfmpeg, type FindFfmpeg } from './video/ffmpeg.ts';
import { createVideoPreparation } from './video/prepare-video.ts';

export interface EngineAdapters {
  readonly profile: OpenProfile;
  readonly spool: Spool;
  readonly openThumbnails: (onMade: () => void) => Thumbnails;
  readonly openClient: OpenClient;
  readonly openSource: OpenSourceAt;
  readonly hashPart: HashPart;
  /** Files that `openSource` keeps open for a moment. */
  readonly sources: Pick<OpenFileCache, 'release' | 'close'>;
  readonly isFolder: (path: string) => Promise<boolean>;
  readonly prepare: Prepare;
  readonly previewFit: PreviewFit;
  /** Preloads what the first image preparation of a session needs, because loading takes longer than preparing. */
  readonly warm: () => Promise<void>;
  readonly capturer: ScreenCapturer;
  /** Null: clicks and keys cannot be shown here. */
  readonly inputDisplay: InputDisplay | null;
  readonly cameras: Cameras;
  readonly ffmpeg: FindFfmpeg;
  /** Free bytes on the disk of a folder. */
  readonly freeBytes: (folder: string) => Promise<number>;
}

export const nodeEngineAdapters = (deps: EngineDeps, profile: OpenProfile): EngineAdapters => {
  const spool = openSpool(deps.profileDir, deps.clock);
  // The user may configure the program; otherwise the installed one is used.
  const configured = deps.environment['LINKSHOT_FFMPEG'] ?? null;
  const ffmpeg = createFindFfmpeg({ configured, environment: deps.environment });
  const times = systemFileTimes(deps.clock);
  const sources = createOpenFileCache({
    open: createOpenSource(open, times),
    identify: (path) => fileStateAt(path, times),
  });
  const openSource = sources.open;
  const video = createVideoPreparation({
    ...deps,
    openSource,
    ffmpeg,
    spoolDir: spool.dir,
    usualFit: () => readSettings(profile).fit,
  });
  return {
    profile,
    spool,
    ffmpeg,
    freeBytes,
    openThumbnails: (onMade) => createThumbnails({ ...deps, ffmpeg, openSource, onMade }),
    openClient: createOpenClient(deps),
    openSource,
    hashPart: hashPartOnThread,
    sources,
    isFolder,
    warm: warmDecoder,
    ...createPreparation({
      ...deps,
      openSource,
      times,
      ffmpeg,
      video,
      spoolDir: spool.dir,
      gitHome: () => gitHomeOf(deps.environment),
      settings: () => readSettings(profile),
    }),
    inputDisplay: openInputDisplay({ platform: process.platform, environment: deps.environment }, deps.clock),
    cameras: deps.cameras ?? createCameras({ platform: process.platform, environment: deps.environment }),
    capturer:
      deps.capturer ?? openScreenCapturer({ platform: process.platform, environment: deps.environment, ffmpeg }),
  };
};
