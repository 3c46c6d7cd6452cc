/**
 * Keeps the edited image on the clipboard up to date while the setting is on: copies it when the editor opens and
 * shortly after each change, one copy at a time. Reports the first failed copy, and no further ones until a copy
 * succeeds.
 */

import { createStore } from 'zustand/vanilla';
import { isEdited } from '../../ipc/protocol/drawing.ts';
import type { Document } from '../drawing/document.ts';
import type { EditorSession } from '../drawing/editor-session.ts';
import type { CopyOutcome } from '../stores/captures/copy-edited.ts';
import type { ClipboardSync, SyncStatus } from '../stores/captures/edited-capture-store.ts';
import type { Toasts } from '../stores/messages/toasts.ts';
import type { PageClipboard } from '../stores/page-clipboard.ts';
import { exportPicture } from './picture/export-image.ts';

/** Longer than the pause between two key presses or strokes. */
const PAUSE_MS = 400;

interface Deps {
  readonly session: EditorSession;
  readonly original: ImageBitmap;
  readonly isOn: () => boolean;
  /** Calls back when the setting has changed or the host is reachable again. Returns the unsubscribe function. */
  readonly onChange: (changed: () => void) => () => void;
  /** `picture`: renders the edited image; null: the captured image is copied. */
  readonly copy: (picture: (() => Promise<Blob>) | null) => Promise<CopyOutcome>;
  readonly clipboard: Pick<PageClipboard, 'writeLater'>;
  readonly toasts: Toasts;
}

export const createClipboardSync = (deps: Deps): ClipboardSync => {
  const { session, original, isOn, copy, clipboard, toasts } = deps;
  const store = createStore<{ readonly status: SyncStatus }>(() => ({ status: 'off' }));
  /** What is on the clipboard, and what could not be copied; null: nothing, or unknown. */
  let copied: Document | null = null;
  let failed: Document | null = null;
  let rendered: { readonly document: Document; readonly png: Promise<Blob> } | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let copying: Promise<void> | null = null;
  let isPaused = false;
  let isEnded = false;
  let hasCopied = false;
  let isReported = false;
  /** The registration that waits for a click. */
  let waiting: object | null = null;

  const present = (): Document => session.store.getState().history.present;
  const isDue = (): boolean => isOn() && !isPaused && !isEnded && present() !== copied;

  const showStatus = (): void => {
    const status = !isOn() ? 'off' : present() === copied ? 'current' : present() === failed ? 'outdated' : 'pending';
    if (status !== store.getState().status) store.setState({ status });
  };

  const stopTimer = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };

  /** Keeps what a browser has refused, so that the click that allows it need not render it again. */
  const render = (document: Document): Promise<Blob> => {
    if (rendered?.document !== document) rendered = { document, png: exportPicture(original, document) };
    return rendered.png;
  };

  const show = (retry: 'click' | 'button' | 'change'): void =>
    toasts.show({ kind: 'copyOutdated', isOlder: hasCopied, retry });

  const waitForClick = (): void => {
    if (waiting !== null) return;
    const registration = {};
    waiting = registration;
    const ends = (then: () => void) => () => {
      if (waiting !== registration) return;
      waiting = null;
      then();
    };
    const ended = ends(() => {});
    const again = async (): Promise<boolean> => {
      const isDone = await sync.copyNow();
      if (isDone) ended();
      return isDone;
    };
    clipboard.writeLater(again, {
      onLeft: ends(() => {
        if (isReported) show('button');
      }),
      onDropped: ends(() => toasts.withdraw('copyOutdated')),
    });
  };

  const report = (document: Document, outcome: Exclude<CopyOutcome, 'copied'>): void => {
    failed = document;
    if (outcome === 'failed') {
      // It is not known what is on the clipboard now.
      copied = null;
      rendered = null;
    }
    // Whoever has gone to another window may copy something there, which stays. At first nothing is lost.
    const waits = outcome === 'refused' || (outcome === 'away' && !hasCopied);
    if (waits) waitForClick();
    if (!isReported) show(waits ? 'click' : outcome === 'away' ? 'button' : 'change');
    isReported = true;
  };

  const attempt = async (): Promise<void> => {
    const document = present();
    let isSuperseded = false;
    const picture = async (): Promise<Blob> => {
      const png = await render(document);
      isSuperseded = present() !== document || !isDue();
      if (isSuperseded) throw new Error('The image has changed meanwhile.');
      return png;
    };
    const outcome = await copy(isEdited(document) ? picture : null).catch(() => 'failed' as const);
    if (outcome === 'copied') {
      [copied, failed, rendered] = [document, null, null];
      [hasCopied, isReported] = [true, false];
      toasts.withdraw('copyOutdated');
    } else if (!isSuperseded && !isEnded) report(document, outcome);
    if (rendered?.document !== present()) rendered = null;
  };

  const schedule = (): void => {
    stopTimer();
    if (isDue() && present() !== failed) timer = setTimeout(() => void sync.copyNow(), PAUSE_MS);
    showStatus();
  };

  const followSetting = (): void => {
    failed = null;
    if (isOn()) void sync.copyNow();
    else {
      copied = null;
      toasts.withdraw('copyOutdated');
      schedule();
    }
  };

  /** Whoever goes to another window may paste there at once. */
  const left = (): void => {
    if (timer !== null) void sync.copyNow();
  };

  const sync: ClipboardSync = {
    store,
    async copyNow() {
      stopTimer();
      if (!isDue()) return true;
      if (copying !== null) return false;
      copying = attempt().finally(() => {
        copying = null;
        if (timer === null) schedule();
        showStatus();
      });
      showStatus();
      await copying;
      return !isDue();
    },
    async pause() {
      isPaused = true;
      stopTimer();
      await copying;
    },
    resume() {
      isPaused = false;
      schedule();
    },
    end() {
      isEnded = true;
      stopTimer();
      toasts.withdraw('copyOutdated');
      window.removeEventListener('blur', left);
      for (const stop of undo) stop();
    },
  };

  const undo = [
    session.store.subscribe(({ history }, before) => {
      if (history.present !== before.history.present) schedule();
    }),
    deps.onChange(followSetting),
  ];
  window.addEventListener('blur', left);
  void sync.copyNow();
  return sync;
};
