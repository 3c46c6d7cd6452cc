/** Complete app states for window tests; each part can be replaced. */

import type { Account } from '../../../src/api/account.ts';
import type { Content } from '../../../src/api/content.ts';
import type {
  AccountId,
  CaptureId,
  ConnectionId,
  ContentId,
  ItemId,
  RecordingId,
  RequestKey,
  Sha256,
  UploadId,
} from '../../../src/api/ids.ts';
import type { NoteText } from '../../../src/api/note.ts';
import type { ExcludedEntry, FolderPreview } from '../../../src/common/folder/folder-preview.ts';
import type { AppState, Connection } from '../../../src/ipc/protocol/app-state.ts';
import type { CaptureSessionIn } from '../../../src/ipc/protocol/capture.ts';
import type { LibraryItem } from '../../../src/ipc/protocol/library-item.ts';
import type { NewNote, NoteDraft } from '../../../src/ipc/protocol/note-draft.ts';
import type { QueueItem, QueueItemIn } from '../../../src/ipc/protocol/queue-item.ts';
import type { RecordingIn } from '../../../src/ipc/protocol/recording.ts';
import { DEFAULT_SETTINGS } from '../../../src/ipc/protocol/settings.ts';
import { MODEL_LIMITS } from '../server/model-account.ts';
import { BARE } from './bare-capabilities.ts';

export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;
/** 20 November 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12);

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const itemId = (number: number): ItemId => uuid(number) as ItemId;

export const makeAccount = (user: Partial<Account['user']> = {}): Account => ({
  user: {
    id: 'account-1' as AccountId,
    username: 'mira',
    name: 'Mira Lindqvist',
    palette: 'indigo',
    bio: '',
    copyLink: true,
    privateByDefault: false,
    unlistedPreviews: true,
    previewAuthor: false,
    captureHotkey: 'Ctrl+PrintScreen',
    avatarUrl: null,
    avatarRevision: 0,
    storageUsed: 327 * MIB,
    quotaBytes: GIB,
    createdAt: '2026-01-15T09:00:00.000Z',
    plan: null,
    ...user,
  },
  limits: MODEL_LIMITS,
  entitlements: {
    planUntil: null,
    imageBytes: 10 * MIB,
    videoBytes: 100 * MIB,
    planImageBytes: 10 * MIB,
    planVideoBytes: 100 * MIB,
    quotaBytes: null,
    features: [],
    trial: null,
  },
  credential: {
    id: 'key-1',
    name: 'Linkshot on studio',
    scopes: ['content:read', 'content:write', 'content:delete', 'account:read'],
    expiresAt: '2027-11-20T12:00:00.000Z',
    client: null,
    deviceName: 'studio',
  },
});

export const CONNECTION = uuid(900) as ConnectionId;
export const SERVER = 'https://share.example.com';

export const connected = (user: Partial<Account['user']> = {}): Connection => ({
  state: 'connected',
  server: SERVER,
  account: makeAccount(user),
  keyPlace: 'keyring',
});

/** The built-in server of this computer. */
export const connectedToTryOut = (): Connection => ({
  state: 'connected',
  server: 'http://127.0.0.1:4100',
  account: makeAccount({ username: 'try-out', name: '' }),
  keyPlace: 'embedded',
});

export const makeContent = (number: number, change: Partial<Content> = {}): Content => ({
  id: `c${number}` as ContentId,
  title: `Shot ${number}`,
  tags: [],
  type: 'IMAGE',
  mime: 'image/png',
  revision: 1,
  accessVersion: 1,
  size: 482_133,
  visibility: 'unlisted',
  allowDownload: true,
  passwordProtected: false,
  oneTime: false,
  views: 0,
  createdAt: new Date(NOON).toISOString(),
  url: `${SERVER}/s/c${number}`,
  mediaUrl: `/api/media/c${number}`,
  ...change,
});

/** The facts of every state; `makeItem` keeps those that the state has. */
const facts = (number: number) => ({
  fingerprint: 'a'.repeat(64) as Sha256,
  startKey: uuid(number) as RequestKey,
  uploadId: uuid(number) as UploadId,
  confirmedBytes: 0,
  completeKey: uuid(number) as RequestKey,
  requestKey: uuid(number) as RequestKey,
});

/** An item in `state`. Its id and place in the queue follow from `number`. */
export const makeItem = <S extends QueueItem['state']>(
  state: S,
  number: number,
  change: Partial<QueueItemIn<S>> = {},
): QueueItemIn<S> => {
  const linked: object =
    state === 'linked'
      ? { content: makeContent(number), linkedAt: NOON + number, deliveredAt: NOON + number, isCopied: true }
      : {};
  const item = {
    id: itemId(number),
    accountId: 'account-1' as AccountId,
    name: `shot-${number}.png`,
    size: 482_133,
    source: { owner: 'user', path: `/home/mira/shot-${number}.png` },
    job: { kind: 'file', fit: null },
    body: null,
    share: {},
    postPublish: null,
    position: number,
    createdAt: NOON,
    intent: 'run',
    attempts: 0,
    error: null,
    ...facts(number),
    ...linked,
    state,
    ...change,
  };
  return item as unknown as QueueItemIn<S>;
};

export const makeLibraryItem = (number: number, content: Partial<Content> = {}): LibraryItem => ({
  id: itemId(number),
  name: `shot-${number}.png`,
  content: makeContent(number, content),
  linkedAt: NOON - number,
  goneAt: null,
  deletingAt: null,
});

/** A recording of ten seconds that waits for the user's review. */
export const makeReview = (change: Partial<RecordingIn<'review'>> = {}): RecordingIn<'review'> => ({
  state: 'review',
  id: uuid(700) as RecordingId,
  name: 'Recording 2026-11-20 12.00.00.mp4',
  width: 1280,
  height: 720,
  durationMs: 10_000,
  bytes: 3.2 * MIB,
  hasSound: false,
  keyFramesMs: [0, 2_000, 4_000, 6_000, 8_000],
  isRecovered: false,
  ...change,
});

/** A scrolling capture that the app takes. */
export const makeScrolling = (change: Partial<CaptureSessionIn<'scrolling'>> = {}): CaptureSessionIn<'scrolling'> => ({
  ...{ state: 'scrolling', id: uuid(702) as CaptureId, by: 'app' },
  ...{ area: { x: 40, y: 60, width: 900, height: 640 }, width: 900, length: 5_400 },
  ...{ canUndo: true, isExact: true, note: null, revision: 1, ...change },
});

/** A recording of 42 seconds so far, as one that runs since `since` or as a paused one. */
export const makeRunning = (since: number | null): RecordingIn<'recording' | 'paused'> => {
  const facts = {
    id: uuid(701) as RecordingId,
    area: { x: 0, y: 0, width: 1280, height: 720 },
    sound: 'system',
    recordedMs: 42_000,
    bytes: 8.4 * MIB,
    bounds: { milliseconds: 3_600_000, bytes: 100 * MIB },
  } as const;
  return since === null ? { state: 'paused', ...facts } : { state: 'recording', ...facts, since };
};

/** What a small project would send, and of everything that can stay out a little. */
export const makeFolderPreview = (change: Partial<FolderPreview> = {}): FolderPreview => {
  const goes = [
    ...['README.md', 'package.json', 'src/main.ts', 'src/app/door.ts', 'src/app/window.tsx', 'src/styles/base.css'],
    ...['test/door.test.ts', 'test/a-test-with-a-name-that-is-much-longer-than-any-row-of-a-narrow-window.test.ts'],
    ...Array.from({ length: 12 }, (_, number) => `src/parts/part-${number + 1}.tsx`),
  ].map((path, index) => ({ path, size: 900 + index * 1_700 }));
  const out = (path: string, reason: ExcludedEntry['reason'], size = 2_400): ExcludedEntry =>
    path.endsWith('/') ? { path, reason, files: null, size: null } : { path, reason, files: 1, size };
  const skipped: ExcludedEntry[] = [
    out('.env', 'secret', 210),
    out('.git/', 'service'),
    { ...out('notes.log', 'gitignore'), rule: { file: '.gitignore', line: 3, pattern: '*.log' } },
    out('deploy/id_ed25519', 'secret', 411),
    out('dist/', 'build'),
    out('design/logo.psd', 'large', 4.2 * MIB),
    out('design/logo.png', 'binary', 48_000),
    out('node_modules/', 'dependencies'),
    out('src/shared', 'link', 0),
    out('src/locked.ts', 'unreadable', 0),
    out('vendor/parser/', 'repository'),
  ];
  return {
    name: 'parser',
    files: goes.length,
    textBytes: goes.reduce((sum, { size }) => sum + size, 0),
    goes,
    skipped,
    skippedFiles: 7,
    uncountedFolders: 4,
    gitignore: 'applied',
    archiveBytesAtMost: 360_000,
    refusal: null,
    unread: 0,
    ...change,
  };
};

/** A connected app with an empty queue, whose page reaches the clipboard. */
export const makeState = (change: Partial<AppState> = {}): AppState => ({
  version: '0.1.0',
  capabilities: BARE,
  connection: connected(),
  accounts: [],
  authorization: null,
  queue: { items: [], live: {}, paused: false },
  guarded: [],
  thumbnails: [],
  replacedThumbnails: [],
  capture: null,
  discarded: [],
  recording: null,
  hotkeys: {
    way: 'none',
    keys: [],
    command: 'linkshot capture --select',
    commandPlace: 'settings',
    shortcut: 'none',
    replacesSnippingTool: false,
  },
  settings: { ...DEFAULT_SETTINGS, language: 'en', firstSteps: { state: 'over', done: [], skipped: [] } },
  effective: { copyLink: true, visibility: 'unlisted', hotkey: 'Ctrl+PrintScreen', palette: 'linkshot' },
  notices: [],
  ...change,
});

/** Changes for a profile without any items, where onboarding is still shown. */
export const newcomer = ({ settings, capabilities }: AppState): Partial<AppState> => ({
  capabilities: { ...capabilities, overlay: 'page', hotkey: true, tryOut: true },
  hotkeys: {
    way: 'x11',
    keys: [
      {
        action: 'region',
        accelerator: 'Control+PrintScreen',
        bound: null,
        pressedAt: null,
        failure: null,
        state: 'asked',
      },
    ],
    command: 'linkshot capture --select',
    commandPlace: 'settings',
    shortcut: 'none',
    replacesSnippingTool: false,
  },
  connection: connectedToTryOut(),
  accounts: [],
  authorization: null,
  queue: { items: [], live: {}, paused: false },
  settings: { ...settings, firstSteps: { state: 'open', done: [], skipped: [] } },
});

const NOTE_TEXT = `# Release notes

What is **new** in this version, and [where to get it](https://example.com/downloads).

Notes are written in the app.

Two versions are put together.

\`\`\`ts
const answer: number = 42; // as always
\`\`\`

| Part | Size |
| :--- | ---: |
| Note | 12 KiB |

> Drafts outlive the window.
`;

/** A note of Markdown that is being written. */
export const makeNewNote = (): NewNote => ({
  ...{ title: '', text: NOTE_TEXT, format: null, language: null, share: {} },
});

/** A published note that was changed while a draft of it was written. */
export const makeNoteConflict = (): { readonly note: NoteText; readonly draft: NoteDraft } => {
  const kind = { format: 'markdown', language: null } as const;
  return {
    note: { ...kind, text: NOTE_TEXT.replace('outlive the window', 'are kept in the profile'), revision: 2 },
    draft: {
      ...kind,
      text: NOTE_TEXT.replace('12 KiB', '14 KiB').replace('Two versions', 'Both versions'),
      revision: 1,
      title: null,
    },
  };
};
