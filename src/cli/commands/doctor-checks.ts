/**
 * The checks of `linkshot doctor`: the computer, the desktop, ffmpeg, text recognition, the profile and the service.
 * Each check has a state, and what to do if it does not pass.
 */
import type { StatsFs } from 'node:fs';
import { access, mkdtemp, readdir, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SCOPES } from '../../api/account.ts';
import type { Failure } from '../../api/errors.ts';
import { normaliseAddress } from '../../api/service-address.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { Connection } from '../../ipc/protocol/app-state.ts';
import { APP_LOG } from '../../ipc/protocol/commands/local-data.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { CommandContext } from '../command-context.ts';
import { errorMessageOf } from '../error-messages.ts';
import { formatBytes, formatCount, formatDuration, formatTime } from '../output/format.ts';

export interface Check {
  /** Stable: programs parse it. */
  readonly check: string;
  /** `warn`: Linkshot works with limitations. `fail`: something does not work until it is fixed. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do; null if it passes. */
  readonly advice: string | null;
}

const pass = (check: string, message: string): Check => ({ check, state: 'ok', message, advice: null });
const warn = (check: string, message: string, advice: string): Check => ({
  check,
  state: 'warn',
  message,
  advice,
});
export const fail = (check: string, message: string, advice: string): Check => ({
  check,
  state: 'fail',
  message,
  advice,
});

// Checks the computer: disk space and key store.

const MIB = 1024 * 1024;
/** Converting a video needs space for its copy; below the second number even the queue's rows are at risk. */
const COMFORTABLE_BYTES = 2048 * MIB;
const LEAST_BYTES = 100 * MIB;

export const checkDisk = async (profileDir: string): Promise<Check> => {
  const facts = await spaceOf(profileDir);
  if (!facts)
    return warn('disk', 'The free space cannot be read.', 'Make sure that the folder of --profile is accessible.');
  if (facts.blocks === 0) return withoutSpace(profileDir);
  const free = facts.bavail * facts.bsize;
  const words = `${formatBytes(free)} free at ${profileDir}`;
  if (free < LEAST_BYTES) return fail('disk', words, 'Free some space: items are saved on disk before they are sent.');
  if (free < COMFORTABLE_BYTES) return warn('disk', words, 'Converting large videos needs more.');
  return pass('disk', words);
};

/** Where the system reports no space, it stores no files (/proc, /sys), or the mounted file system does not count. */
const withoutSpace = async (profileDir: string): Promise<Check> => {
  const isThere = await access(profileDir).then(
    () => true,
    () => false,
  );
  return isThere
    ? warn(
        'disk',
        `The free space at ${profileDir} is unknown.`,
        'Make sure that there is enough at its real location.',
      )
    : fail('disk', `The folder ${profileDir} cannot be used: it cannot store files.`, 'Use another --profile DIR.');
};

/** Of the folder, or of its nearest existing parent. */
const spaceOf = async (path: string): Promise<StatsFs | null> => {
  const facts = await statfs(path).catch(() => null);
  return facts ?? (dirname(path) === path ? null : spaceOf(dirname(path)));
};

const GET_ONE: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'Install and unlock one with Secret Service support, such as gnome-keyring or KWallet; or set LINKSHOT_KEY.',
};

export const checkKeyStore = async (platform: NodeJS.Platform): Promise<Check> => {
  const { openSystemKeyStore } = await import('../../engine/profile/system-key-store.ts');
  const { place } = await openSystemKeyStore();
  if (place === 'keyring') return pass('key-store', 'The key store of the operating system works.');
  const advice = GET_ONE[platform] ?? 'Set LINKSHOT_KEY in the environment instead.';
  return warn('key-store', 'There is no working key store; a connection lasts for one run.', advice);
};

// Checks the profile: its database, its queue, and the files that the app owns.

/** Opening a profile checks its database; repairs are reported as a notice. */
export const checkProfile = (client: EngineClient, profileDir: string): Check => {
  const damage = client.state().notices.find(({ code }) => code === 'PROFILE_DAMAGED');
  const where = client.kind() === 'here' ? profileDir : `${profileDir}, in use by a running Linkshot`;
  // Its usual message is about a folder that cannot be used.
  return damage
    ? warn('profile', damage.detail, 'See the window, where you can dismiss it.')
    : pass('profile', `The database is intact: ${where}`);
};

/** Those that a running app could not register. */
export const checkHotkeys = (client: EngineClient): readonly Check[] =>
  client
    .state()
    .hotkeys.keys.flatMap(({ failure }) =>
      failure ? [warn('hotkeys', failure.detail, 'The settings show what each hotkey does, and can test it.')] : [],
    );

/** Where the app writes errors; commands that run without the app report theirs themselves. */
export const checkLog = async (profileDir: string): Promise<Check> => {
  const path = join(profileDir, APP_LOG);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return pass('log', isThere ? `The app logs its errors to ${path}` : 'The app has not written a log yet.');
};

export const checkQueue = (client: EngineClient): Check => {
  const { items, paused } = client.state().queue;
  const stuck = items.filter(({ error }) => error?.retryAt === null);
  const waiting = items.filter(({ state }) => state !== 'linked');
  if (items.some(({ state }) => state === 'unreadable'))
    return warn('queue', 'An item was written by another version.', 'Update Linkshot, or cancel it: linkshot status.');
  if (stuck.length > 0)
    return warn(
      'queue',
      `${formatCount(stuck.length, 'item needs', 'items need')} your attention.`,
      'linkshot status shows why.',
    );
  if (paused && waiting.length > 0)
    return warn(
      'queue',
      `Paused, with ${formatCount(waiting.length, 'item')} waiting.`,
      'Run linkshot queue resume to continue.',
    );
  return pass(
    'queue',
    waiting.length === 0 ? 'The queue is empty.' : `${formatCount(waiting.length, 'item')} waiting.`,
  );
};

/** The files of the spool that an item needs. The archive of a folder is packed again where it is missing. */
const ownFiles = ({ source, body, job }: QueueItem): readonly string[] => [
  ...(source.owner === 'spool' ? [source.path] : []),
  ...(body && job.kind !== 'folder' ? [body.path] : []),
];

/** Every item that waits must have the files that the app owns; those of a finished one are removed. */
export const checkSpool = async (client: EngineClient): Promise<Check> => {
  const folder = await client.call('intake.folder', {});
  if (!folder.ok)
    return fail(
      'spool',
      errorMessageOf(folder.error, 'nothing'),
      'Make sure that the folder of --profile is readable.',
    );
  const waiting = client.state().queue.items.filter(({ state }) => state !== 'linked');
  const found = await Promise.all(waiting.flatMap(ownFiles).map(sizeOf));
  const missing = found.filter((size) => size === null).length;
  if (missing > 0)
    return fail(
      'spool',
      `Waiting items are missing ${formatCount(missing, 'file')}.`,
      'Cancel them; linkshot status shows which ones.',
    );
  const names = await readdir(folder.value.path).catch(() => []);
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder.value.path, name))));
  const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const words = `${formatCount(names.length, 'file')}, ${formatBytes(bytes)}`;
  const owned = new Set(waiting.flatMap(({ source, body }) => [source.path, body?.path]));
  const hasSpare = names.some((name) => !owned.has(join(folder.value.path, name)));
  return pass('spool', hasSpare ? `${words}; unused files are removed within a day` : words);
};

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );

// Checks the service: reachable, the right API, the same time, and the key accepted.

const PATIENCE_MS = 10_000;
/** Half a request and a second of rounding are not clock skew. */
const SKEW_MS = 60_000;
/** Certificates and expiring links fail beyond this. */
const BAD_SKEW_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
const KEY_ENDS_SOON_MS = 14 * DAY_MS;

const CONNECT = 'Run linkshot connect URL; or set LINKSHOT_SERVER and LINKSHOT_KEY.';

/**
 * Sends a request without a key: an API error proves that it is the service. Two checks: service, clock. `typed` is an
 * address as every command takes it.
 */
export const checkService = async (typed: string | undefined, signal: AbortSignal): Promise<readonly Check[]> => {
  if (typed === undefined) return [warn('service', 'No service is connected.', CONNECT)];
  const address = normaliseAddress(typed);
  if (!address.ok)
    return [fail('service', `${typed}: ${errorMessageOf(address.error, 'nothing')}`, 'Correct it, or connect again.')];
  const server = address.value;
  const sentAt = Date.now();
  let reply: Response;
  try {
    const url = new URL('api/v1/account', `${server}/`);
    const either = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    reply = await fetch(url, { redirect: 'manual', signal: either });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    const why = cause?.code ?? cause?.message ?? message;
    return [fail('service', `${server} cannot be reached (${why}).`, 'Check the address, the network and the proxy.')];
  }
  const tookMs = Date.now() - sentAt;
  const type = reply.headers.get('content-type') ?? '';
  const isBusy = (reply.status === 429 || reply.status === 503) && type.includes('problem+json');
  const isService = isBusy || (reply.status === 401 && type.includes('json'));
  const date = Date.parse(reply.headers.get('date') ?? '');
  await reply.body?.cancel();
  if (!isService)
    return [
      fail(
        'service',
        `${server} is not a file sharing service (status ${reply.status}).`,
        'Check the address; perhaps a sign-in page of the network responded.',
      ),
    ];
  const service = isBusy
    ? warn('service', `${server} is busy or about to restart (status ${reply.status}).`, 'Try again in a moment.')
    : pass('service', `${server} supports version 1 of the API and responded in ${tookMs} ms`);
  return [service, checkClock(date, sentAt, tookMs)];
};

const checkClock = (date: number, sentAt: number, tookMs: number): Check => {
  if (Number.isNaN(date)) return warn('clock', 'The service does not send its time.', 'The clock cannot be checked.');
  const skew = sentAt + tookMs / 2 - date;
  const words = `The local clock is ${formatDuration(Math.abs(skew) / 1000)} ${skew > 0 ? 'ahead of' : 'behind'} the service.`;
  if (Math.abs(skew) > BAD_SKEW_MS)
    return fail('clock', words, 'Set the clock: connections and expiring links depend on it.');
  if (Math.abs(skew) > SKEW_MS) return warn('clock', words, 'Let the system set the clock from the network.');
  return pass('clock', 'The clock matches that of the service.');
};

export const failedAccountCheck = (refused: Failure): Check =>
  fail('account', errorMessageOf(refused, 'nothing'), CONNECT);

export const checkAccount = async (client: EngineClient): Promise<Check> => {
  const refreshed = await client.call('connection.refresh', {});
  if (!refreshed.ok) return failedAccountCheck(refreshed.error);
  const { value: connection } = refreshed;
  if (connection.state === 'none') return warn('account', 'No account is connected.', CONNECT);
  if (connection.state === 'failed') return failedAccountCheck(connection.failure);
  if (connection.state === 'connecting') return fail('account', 'The service did not respond.', 'Try again.');
  return judgeAccount(connection);
};

const judgeAccount = ({ account }: Extract<Connection, { state: 'connected' }>): Check => {
  const { user, credential } = account;
  const words = `${user.username}, ${formatBytes(user.storageUsed)} of ${formatBytes(user.quotaBytes)} used`;
  if (user.storageUsed >= user.quotaBytes)
    return warn('account', words, 'Delete items, or choose a plan with more storage.');
  const missing = credential ? SCOPES.filter((scope) => !credential.scopes.includes(scope)) : [];
  if (missing.length > 0)
    return warn('account', `${words}; the key lacks ${missing.join(', ')}`, 'Create a key with all permissions.');
  const endsAt = credential?.expiresAt ? Date.parse(credential.expiresAt) : Number.POSITIVE_INFINITY;
  if (endsAt - Date.now() < KEY_ENDS_SOON_MS)
    return warn(
      'account',
      `${words}; the key expires ${formatTime(new Date(endsAt))}`,
      'Run linkshot connect for a new one.',
    );
  return pass('account', words);
};

/** Checks what a Wayland desktop offers; nothing elsewhere. */
export const checkDesktop = async (
  environment: CommandContext['environment'],
  signal: AbortSignal,
): Promise<readonly Check[]> => {
  if (!environment['WAYLAND_DISPLAY']) return [];
  const { askSystemDesktop } = await import('../../engine/wayland-desktop-abilities.ts');
  const { showsTrayIcons } = await import('../../engine/detect-tray-icons.ts');
  const desktop = await askSystemDesktop(environment, signal);
  if (desktop === null) return [];
  const { name, screenshots, recordings, portals, missing } = desktop;
  const hasTrayIcons = await showsTrayIcons(environment, signal);
  const ways = {
    grim: 'screenshots with grim',
    portal: 'screenshots through its portal',
    none: 'no screenshots',
  } as const;
  const records = {
    'wf-recorder': 'recordings with wf-recorder',
    portal: 'recordings through its portal',
    none: 'no recordings',
  } as const;
  const versions = Object.entries(portals).map(([portal, version]) =>
    version === null ? `no ${portal}` : `${portal} ${version}`,
  );
  const words = `${name} on Wayland: ${ways[screenshots]}; ${records[recordings]}; portals: ${versions.join(', ')}; ${hasTrayIcons ? 'tray icons' : 'no tray icons'}`;
  const advice = [...missing, ...(hasTrayIcons ? [] : [withoutTrayIcons(name)])];
  return [advice.length === 0 ? pass('desktop', words) : warn('desktop', words, advice.join(' '))];
};

const withoutTrayIcons = (desktop: string): string =>
  desktop === 'GNOME'
    ? 'For the icon of the app in the tray, install the extension AppIndicator and KStatusNotifierItem Support (gnome-shell-extension-appindicator on Debian and Ubuntu). Without it, start the app again to show its window.'
    : 'For the icon of the app, add a tray to the panel of the desktop. Without it, start the app again to show its window.';

const GET_IT = 'Install ffmpeg, or set LINKSHOT_FFMPEG to its path.';

/** Checks video conversion: ffmpeg, and which encoders really work. */
export const checkVideo = async (environment: CommandContext['environment'], signal: AbortSignal): Promise<Check> => {
  const { reportToolchain } = await import('../../engine/video/ffmpeg-capabilities.ts');
  const folder = await mkdtemp(join(tmpdir(), 'linkshot-doctor-')).catch((error: Error) => error);
  if (folder instanceof Error)
    return fail(
      'video',
      `The temporary folder ${tmpdir()} cannot be used: ${folder.message}`,
      'Make it writable and free some space there, or set TMPDIR to another folder.',
    );
  const tools = await reportToolchain(environment, folder, signal).finally(() =>
    rm(folder, { recursive: true, force: true }),
  );
  if (!tools) return warn('video', 'ffmpeg was not found: videos cannot be converted.', GET_IT);
  const { path, software, hardware, canToneMap } = tools;
  if (!software && !hardware) return fail('video', `${path} has no H.264 encoder.`, GET_IT);
  const encoders = [software ?? 'no software encoder', hardware ? `${hardware} in hardware` : 'none in hardware'].join(
    ', ',
  );
  return canToneMap
    ? pass('video', `${path}: ${encoders}`)
    : warn('video', `${path}: ${encoders}`, 'HDR videos get wrong colours: use an ffmpeg with zscale and tonemap.');
};

/** Checks which languages of text in pictures can be read. */
export const checkText = async ({
  environment,
  profileDir,
}: Pick<CommandContext, 'environment' | 'profileDir'>): Promise<Check> => {
  const { createLanguageData } = await import('../../engine/vision/ocr-language-data.ts');
  const path = createLanguageData({ environment, profileDir }).find('rus');
  if (path !== null) return pass('text', `Text in images: English; Russian from ${path}`);
  return warn(
    'text',
    'Text in images: English only.',
    'Install the package tesseract-ocr-rus (Debian, Ubuntu), or put rus.traineddata from Tesseract into the folder tessdata of the profile.',
  );
};
