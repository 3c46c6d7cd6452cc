/** The engine's video preparation with its own spool, and the real service that accepts or refuses the result. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, openAsBlob } from 'node:fs';
import { basename, join } from 'node:path';
import type { Account } from '../../../src/api/account.ts';
import type { Result } from '../../../src/api/errors.ts';
import type { ItemId } from '../../../src/api/ids.ts';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import { type OpenSourceAt, openSource } from '../../../src/engine/upload/upload-source.ts';
import type { FfmpegSearch, FindFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import { createFindFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import { createVideoPreparation } from '../../../src/engine/video/prepare-video.ts';
import type { PreparedFile } from '../../../src/ipc/protocol/prepared-file.ts';
import type { FitChoice, QueueItemIn } from '../../../src/ipc/protocol/queue-item.ts';
import type { FitPreview } from '../../../src/ipc/protocol/video-conversion.ts';
import type { User } from '../server/server.ts';
import { ask } from '../server/service-client.ts';
import { type SingleRequestAnswer, sendForm } from '../server/single-request-upload.ts';

/** The ffmpeg of this machine. */
export const HERE: FfmpegSearch = { configured: null, environment: { PATH: process.env['PATH'] } };
export const NO_FFMPEG: FfmpegSearch = { configured: '/nowhere/ffmpeg', environment: {} };

export interface Wish {
  readonly fit?: FitChoice;
  readonly signal?: AbortSignal;
  readonly onProgress?: (share: number) => void;
}

export interface VideoFixture {
  readonly spoolDir: string;
  prepare(path: string, account: Account, wish?: Wish): Promise<Result<PreparedFile | null>>;
  preview(path: string, account: Account, fit?: FitChoice): Promise<Result<FitPreview>>;
}

const fileItem = (path: string, fit: FitChoice | null): QueueItemIn<'queued'> => ({
  ...{ id: randomUUID() as string as ItemId, accountId: null, name: basename(path), size: 1 },
  ...{ source: { owner: 'user', path }, job: { kind: 'file', fit }, body: null, share: {}, postPublish: null },
  ...{ position: 1, createdAt: 0, intent: 'run', attempts: 0, error: null, state: 'queued' },
});

const never = new AbortController().signal;

/** `spoolDir`: an existing folder is reused with what an earlier process left in it. `openAt`: of the source. */
export const openVideoFixture = (
  folder: string,
  places: FfmpegSearch | FindFfmpeg = HERE,
  spoolDir?: string,
  openAt: OpenSourceAt = openSource,
): VideoFixture => {
  mkdirSync(folder, { recursive: true });
  const dir = spoolDir ?? mkdtempSync(join(folder, 'spool-'));
  const ffmpeg = typeof places === 'function' ? places : createFindFfmpeg(places);
  const room = createVideoPreparation({
    clock: systemClock,
    random: systemRandom,
    spoolDir: dir,
    ffmpeg,
    openSource: openAt,
    usualFit: () => 'balanced',
  });
  return {
    spoolDir: dir,
    prepare: (path, account, { fit, signal = never, onProgress = () => {} } = {}) =>
      room.prepare(fileItem(path, fit ?? null), { account, onProgress }, signal),
    preview: (path, account, fit) => room.preview(path, fit ?? null, account, never),
  };
};

export const accountOf = async (url: string, { apiKey }: User): Promise<Account> => {
  const { body } = await ask<Account>(url, { path: '/api/v1/account', key: apiKey });
  return body;
};

/** Sends a file unchanged, without reading it into memory. */
export const sendVideo = async (url: string, { apiKey }: User, path: string): Promise<SingleRequestAnswer> => {
  const form = new FormData();
  form.set('file', await openAsBlob(path), 'video');
  return sendForm(url, { path: '/api/v1/uploads', key: apiKey, form });
};
