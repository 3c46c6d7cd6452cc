/** The commands of the command palette, each with an icon and an action, some with a shortcut or a condition. */
import {
  AppWindow,
  BookmarkPlus,
  CircleUser,
  Clapperboard,
  ClipboardPaste,
  Copy,
  ExternalLink,
  Film,
  FolderOpen,
  FolderTree,
  Footprints,
  Fullscreen,
  HardDrive,
  House,
  Image,
  Images,
  Info,
  Keyboard,
  Languages,
  LayoutGrid,
  Link,
  type LucideIcon,
  Monitor,
  Moon,
  Pause,
  Pin,
  Play,
  RotateCcw,
  Rows3,
  ScanText,
  ScrollText,
  Settings as SettingsIcon,
  Share2,
  ShieldCheck,
  SlidersHorizontal,
  Square,
  SquareDashedMousePointer,
  SquarePen,
  Sun,
  SunMoon,
  Trash2,
  Undo2,
  Video,
  Wrench,
} from 'lucide-react';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { CaptureMode } from '../../ipc/protocol/capture.ts';
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../ipc/protocol/settings.ts';
import type { FileInput } from '../file-input/file-input.tsx';
import type { SHORTCUTS } from '../keyboard/shortcuts.ts';
import type { AppStores } from '../stores/app-stores.ts';
import type { Note } from '../stores/messages/toasts.ts';
import { splitQueue } from '../stores/queue/queue-order.ts';
import type { Screen, Section } from '../stores/router-store.ts';
import { copyLink, isShareable } from './library-links.ts';

/** State of the window while the palette is open. */
export interface PaletteContext {
  readonly app: AppState;
  readonly screen: Screen;
  readonly stores: AppStores;
  readonly fileInput: FileInput;
  readonly showShortcuts: () => void;
}

export interface Command {
  readonly group: 'share' | 'go' | 'library' | 'look' | 'help';
  readonly icon: LucideIcon;
  /** The window shortcut of the same action. */
  readonly key?: keyof typeof SHORTCUTS.window;
  /** The global hotkey of the same action. */
  readonly hotkey?: HotkeyAction;
  /** Condition for offering it; undefined: always offered. */
  readonly when?: (now: PaletteContext) => boolean;
  readonly run: (now: PaletteContext) => void;
}

/** Some of the latest may have been deleted. */
const NEWEST = 25;

const canCapture = ({ app }: PaletteContext): boolean => app.capabilities.overlay !== 'none';

const capture = (mode: CaptureMode, icon: LucideIcon): Command => ({
  group: 'share',
  icon,
  hotkey: mode,
  when: (now) => canCapture(now) && now.app.capture === null && (mode !== 'window' || now.app.capabilities.windows),
  run: ({ stores }) => void stores.engine.run('capture.start', { mode }),
});

const screen = (name: 'home' | 'library' | 'settings', icon: LucideIcon): Command => ({
  group: 'go',
  icon,
  when: (now) => now.screen !== name,
  run: ({ stores }) => stores.view.show(name),
});

const section = (name: Section, icon: LucideIcon): Command => ({
  group: 'go',
  icon,
  run: ({ stores }) => stores.view.section(name),
});

/** Settings that exist only where the screen can be captured. */
const ofCaptures = (name: Section, icon: LucideIcon): Command => ({ ...section(name, icon), when: canCapture });

const setting = <K extends 'theme' | 'language' | 'libraryLook'>(
  group: Command['group'],
  icon: LucideIcon,
  name: K,
  value: Settings[K],
): Command => ({
  group,
  icon,
  when: ({ app }) => app.settings[name] !== value,
  run: ({ stores }) => void stores.engine.updateSettings({ [name]: value }),
});

type Deletion = Extract<Note, { kind: 'deleted' }>;

/** The last deletion that can still be undone. */
const lastDeletion = ({ toasts, now }: AppStores): { readonly toast: number; readonly note: Deletion } | null => {
  for (const { id, note } of toasts.store.getState().toasts)
    if (note.kind === 'deleted' && note.until > now()) return { toast: id, note };
  return null;
};

/** The item whose page is shown, unless it is gone or being deleted. */
const shownItem = ({ stores, screen }: PaletteContext): LibraryItem | null => {
  const { item } = stores.itemDetails.store.getState();
  return screen === 'item' && item?.goneAt === null && item.deletingAt === null ? item : null;
};

const ofItem = (
  icon: LucideIcon,
  run: (stores: AppStores, item: LibraryItem) => void,
  type?: LibraryItem['content']['type'],
): Command => ({
  group: 'library',
  icon,
  when(now) {
    const item = shownItem(now);
    return item !== null && (type === undefined || item.content.type === type);
  },
  run(now) {
    const item = shownItem(now);
    if (item) run(now.stores, item);
  },
});

/** While nothing was shared yet, the library opens instead and explains how to start. */
const copyNewest = async (stores: AppStores): Promise<void> => {
  const here = stores.view.whileHere();
  const found = await stores.engine.run('library.search', { text: '', state: 'live', sort: 'newest', limit: NEWEST });
  const newest = found?.items.find(isShareable);
  if (newest) await copyLink(stores, newest);
  else if (found) here.show('library');
};

const TABLE = {
  captureRegion: capture('region', SquareDashedMousePointer),
  captureWindow: capture('window', AppWindow),
  captureScreen: capture('screen', Monitor),
  captureAll: capture('all', Fullscreen),
  captureLast: capture('last', RotateCcw),
  record: {
    group: 'share',
    icon: Video,
    hotkey: 'record',
    when: (now) =>
      canCapture(now) && now.app.capabilities.recording && now.app.capture === null && now.app.recording === null,
    run: ({ stores }) => void stores.engine.run('capture.start', { mode: 'region', purpose: 'recording' }),
  },
  captureScrolling: {
    group: 'share',
    icon: ScrollText,
    when: (now) => canCapture(now) && now.app.capture === null,
    run: ({ stores }) => void stores.engine.run('capture.start', { mode: 'region', purpose: 'scrolling' }),
  },
  captureText: {
    group: 'share',
    icon: ScanText,
    when: (now) => canCapture(now) && now.app.capture === null,
    run: ({ stores }) => void stores.engine.run('capture.start', { mode: 'region', purpose: 'text' }),
  },
  pinClipboard: {
    group: 'share',
    icon: Pin,
    when: ({ app }) => app.capabilities.pins,
    run: ({ stores }) => void stores.engine.run('pin.clipboard', {}),
  },
  stopRecording: {
    group: 'share',
    icon: Square,
    hotkey: 'record',
    when: ({ app }) => app.recording?.state === 'recording' || app.recording?.state === 'paused',
    run: ({ stores }) => void stores.engine.run('recording.stop', {}),
  },
  restoreCapture: {
    group: 'share',
    icon: Undo2,
    when: ({ app }) => app.capture === null && app.discarded.length > 0,
    run: ({ stores }) => void stores.editing.bringBack(),
  },
  newNote: {
    group: 'share',
    icon: SquarePen,
    key: 'newNote',
    run: ({ stores }) => stores.view.open({ screen: 'note', id: null }),
  },
  choose: { group: 'share', icon: FolderOpen, key: 'choose', run: ({ fileInput }) => fileInput.choose() },
  chooseFolder: { group: 'share', icon: FolderTree, run: ({ fileInput }) => fileInput.chooseFolder() },
  paste: { group: 'share', icon: ClipboardPaste, key: 'paste', run: ({ fileInput }) => void fileInput.paste() },
  textOfPicture: { group: 'share', icon: ScanText, run: ({ fileInput }) => fileInput.chooseForText() },
  pauseAll: {
    group: 'share',
    icon: Pause,
    when: ({ app }) => !app.queue.paused && splitQueue(app.queue.items).active.length > 0,
    run: ({ stores }) => void stores.engine.run('queue.pauseAll', {}),
  },
  resumeAll: {
    group: 'share',
    icon: Play,
    when: ({ app }) => app.queue.paused,
    run: ({ stores }) => void stores.engine.run('queue.resumeAll', {}),
  },
  copyNewest: { group: 'library', icon: Copy, run: ({ stores }) => void copyNewest(stores) },
  copyItem: ofItem(Link, (stores, item) => void copyLink(stores, item)),
  openItem: ofItem(ExternalLink, ({ links }, { id, content }) => links.open(id, content.url)),
  copyItemText: ofItem(ScanText, ({ pictureText }, { id }) => void pictureText.copyFrom({ from: 'item', id }), 'IMAGE'),
  deleteItem: ofItem(Trash2, ({ removal }, { id }) => void removal.remove([id])),
  undoDelete: {
    group: 'library',
    icon: Undo2,
    when: ({ stores }) => lastDeletion(stores) !== null,
    run: ({ stores }) => {
      const deletion = lastDeletion(stores);
      if (deletion === null) return;
      void stores.removal.undo(deletion.note.ids);
      stores.toasts.dismiss(deletion.toast);
    },
  },
  home: screen('home', House),
  library: screen('library', Images),
  settings: screen('settings', SettingsIcon),
  general: section('general', SlidersHorizontal),
  account: section('account', CircleUser),
  upload: section('upload', Share2),
  presets: section('presets', BookmarkPlus),
  video: section('video', Clapperboard),
  capture: ofCaptures('capture', Image),
  recording: ofCaptures('recording', Film),
  hotkeys: ofCaptures('hotkeys', Keyboard),
  privacy: section('privacy', ShieldCheck),
  storage: section('storage', HardDrive),
  advanced: section('advanced', Wrench),
  about: section('about', Info),
  list: setting('look', Rows3, 'libraryLook', 'list'),
  grid: setting('look', LayoutGrid, 'libraryLook', 'grid'),
  light: setting('look', Sun, 'theme', 'light'),
  dark: setting('look', Moon, 'theme', 'dark'),
  system: setting('look', SunMoon, 'theme', 'system'),
  english: setting('look', Languages, 'language', 'en'),
  russian: setting('look', Languages, 'language', 'ru'),
  systemLanguage: setting('look', Languages, 'language', 'system'),
  firstSteps: {
    group: 'help',
    icon: Footprints,
    run: ({ stores }) => {
      void stores.engine.updateSettings({ firstSteps: DEFAULT_SETTINGS.firstSteps });
      stores.view.show('home');
    },
  },
  shortcuts: { group: 'help', icon: Keyboard, key: 'shortcuts', run: ({ showShortcuts }) => showShortcuts() },
} satisfies Record<string, Command>;

export type CommandId = keyof typeof TABLE;
export const COMMANDS: Readonly<Record<CommandId, Command>> = TABLE;
export const COMMAND_IDS = Object.keys(TABLE) as CommandId[];
