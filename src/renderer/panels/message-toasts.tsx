/**
 * Messages as toasts in a corner, announced to screen readers; F6 moves the focus to them. Messages disappear by
 * themselves, but errors and most messages with an action stay until they are answered or dismissed.
 */

import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { unreachable } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { Button, IconButton } from '../components/buttons/button.tsx';
import { ProgressBar } from '../components/indicators/progress.tsx';
import { shortName } from '../components/indicators/short-name.tsx';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { cx } from '../design/class-names.ts';
import { focusedElement } from '../keyboard/focused-element.ts';
import { isPlainKey } from '../keyboard/key-events.ts';
import { type Locale, useLocale } from '../locales/locale.tsx';
import { mayHaveMissedRussian } from '../picture-text/may-have-missed-russian.ts';
import type { AppStores } from '../stores/app-stores.ts';
import type { Note, Toast } from '../stores/messages/toasts.ts';
import { addressOf } from '../stores/router-store.ts';
import { useAnnouncement, useAppStores, useToasts } from '../stores/use-app-stores.tsx';
import styles from './message-toasts.module.css';

/** Enough time to read two short sentences. */
const SHOWN_MS = 7_000;

const ICONS = { good: CircleCheck, plain: Info, bad: CircleAlert };

interface Shown {
  readonly tone: keyof typeof ICONS;
  readonly title: string;
  /** The item whose page the title links to. The title may show a shortened name. */
  readonly about?: { readonly id: ItemId; readonly name: string };
  readonly text: string | null;
  /** `home`: the effect of the action is visible on the home screen. */
  readonly action?: {
    readonly label: string;
    readonly run: () => void;
    readonly shows: 'home' | 'here';
    /** Whether the message disappears by itself all the same. */
    readonly isOptional?: true;
  };
  /** A second action, which closes nothing. */
  readonly other?: { readonly label: string; readonly run: () => void };
  /** When the action expires; milliseconds since 1970-01-01 UTC. */
  readonly until?: number;
  /** From 0 to 1; null: not known. Absent: nothing is in progress. */
  readonly progress?: { readonly label: string; readonly part: number | null };
}

/** Enough to recognise the copied text. */
const EXCERPT_CHARACTERS = 90;
const excerpt = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return [...line].length > EXCERPT_CHARACTERS ? `${[...line].slice(0, EXCERPT_CHARACTERS).join('')}…` : line;
};

const wordsOf = (note: Note, locale: Locale, stores: AppStores): Shown => {
  const { t, failure } = locale;
  const { editing, engine, links, pictureCopies, pictureText, removal, toasts, i18n } = stores;
  switch (note.kind) {
    case 'linkCopied':
      return { tone: 'good', title: t.notes.linkCopied(shortName(note.name)), about: note, text: null };
    case 'linkReady':
    case 'linkWaits': {
      const { id, name, url } = note;
      const run = async (): Promise<void> => {
        if (await links.copy(id, url)) toasts.show({ kind: 'linkCopied', id, name });
      };
      const copy = { label: t.link.copy, run: () => void run(), shows: 'here' } as const;
      const isWaiting = note.kind === 'linkWaits';
      return {
        tone: isWaiting ? 'plain' : 'good',
        title: t.notes[note.kind](shortName(note.name)),
        about: note,
        text: note.kind === 'linkWaits' && !note.isLeft ? t.notes.linkWaitsHint : null,
        action: isWaiting ? copy : { ...copy, isOptional: true },
      };
    }
    case 'pictureWaits':
      return {
        tone: 'plain',
        title: t.notes.pictureWaits,
        text: note.isLeft ? null : t.notes.pictureWaitsHint,
        action: { label: t.link.copy, run: () => void pictureCopies.copy(note.id), shows: 'here' },
      };
    case 'copyOutdated':
      return {
        tone: note.retry === 'change' ? 'bad' : 'plain',
        title: note.isOlder ? t.notes.copyOlder : t.notes.copyMissing,
        text: t.notes.copyRetry[note.retry],
        action: { label: t.link.copy, run: editing.copyNow, shows: 'here' },
      };
    case 'linksCopied':
      return { tone: 'good', title: t.notes.linksCopied(note.count), text: null };
    case 'deleted': {
      const { ids, until } = note;
      return {
        tone: 'plain',
        title: t.notes.deleted(ids.length),
        text: null,
        action: { label: t.library.undo, run: () => void removal.undo(ids), shows: 'here' },
        until,
      };
    }
    case 'captureDiscarded': {
      const { id, until } = note;
      return {
        tone: 'plain',
        title: t.editor.discarded,
        text: t.editor.discardedHint,
        action: { label: t.editor.bringBack, run: () => void engine.run('capture.restore', { id }), shows: 'here' },
        until,
      };
    }
    case 'wordsMissing':
      return {
        tone: 'plain',
        title: t.notes.wordsMissing,
        text: t.notes.wordsMissingHint,
        action: { label: t.app.tryAgain, run: () => void i18n.tryAgain(), shows: 'here' },
      };
    case 'failure': {
      const { title, advice } = failure(note.failure);
      return { tone: 'bad', title, text: advice };
    }
    case 'textPasted': {
      const { text } = note;
      return {
        tone: 'plain',
        title: t.notes.textPasted,
        text: excerpt(text),
        action: { label: t.notes.shareText, run: () => void engine.run('note.add', { text }), shows: 'home' },
      };
    }
    case 'textReading':
      return {
        tone: 'plain',
        title: t.pictureText.reading,
        text: null,
        progress: { label: t.pictureText.progress, part: note.part },
        action: { label: t.pictureText.cancel, run: () => pictureText.stop(note.reading), shows: 'here' },
      };
    case 'textRead':
      return wordsOfText(note, locale, pictureText);
    case 'copyRefused':
    case 'linksRefused':
    case 'pictureCopied':
    case 'pasteStays':
    case 'editedElsewhere':
    case 'addressDropped':
    case 'fileWithheld':
    case 'folderEmpty':
    case 'clipboardEmpty':
    case 'clipboardRefused':
      return { tone: 'plain', title: t.notes[note.kind], text: t.notes[`${note.kind}Hint`] };
    default:
      return unreachable(note);
  }
};

const wordsOfText = (
  { content, copied }: Extract<Note, { kind: 'textRead' }>,
  { t, language }: Locale,
  pictureText: AppStores['pictureText'],
): Shown => {
  const { text, codes } = content;
  const words = t.pictureText;
  const count = text.split(/\s+/).filter(Boolean).length;
  const hint = mayHaveMissedRussian(content, language) ? words.withoutRussian : null;
  const withHint = (sentence: string): string => [sentence, hint].filter((part) => part !== null).join(' ');
  const show = { label: words.showCodes(codes.length), run: () => pictureText.showCodes(codes) };
  if (count === 0) {
    if (codes.length === 0) return { tone: 'plain', title: words.nothing, text: withHint(words.nothingHint) };
    const title = words.onlyCodes(codes.length);
    return { tone: 'plain', title, text: withHint(words.onlyCodesHint), action: { ...show, shows: 'here' } };
  }
  const action = copied === 'yes' ? null : { label: words.copy, run: () => void pictureText.copyAgain(content) };
  const first = action ?? (codes.length > 0 ? show : null);
  return {
    tone: copied === 'yes' ? 'good' : 'plain',
    title: copied === 'yes' ? words.copied(count) : copied === 'no' ? words.refused : words.waits(count),
    text: withHint(copied === 'waits' ? words.waitsHint : excerpt(text)),
    ...(first && { action: { ...first, shows: 'here' as const } }),
    ...(action && codes.length > 0 && { other: show }),
  };
};

/** `children`: other content of this corner, placed nearest to its edge. */
export const Toasts = ({ children }: { readonly children: ReactNode }) => {
  const { t } = useLocale();
  const toasts = useToasts();
  const announcement = useAnnouncement();
  const corner = useRef<HTMLElement>(null);
  useMessageKey(corner, toasts.length);
  return (
    <section ref={corner} className={styles.corner} aria-label={t.app.messages}>
      <div aria-live="polite" className={styles.stack}>
        {toasts.map((toast) => (
          <Message key={toast.id} toast={toast} />
        ))}
      </div>
      {children}
      <VisuallyHidden live>
        {announcement && t.notes.moved(announcement.name, announcement.position, announcement.total)}
      </VisuallyHidden>
    </section>
  );
};

/** Between two extensions of the undo; well below the time that the engine grants. */
const MORE_TIME_MS = 3_000;

/** Extends the undo while the toast is hovered or focused; a toast whose undo has expired is removed. */
const useMoreTime = ({ id, note }: Toast, isHeld: boolean): void => {
  const { removal, toasts } = useAppStores();
  const ids = note.kind === 'deleted' ? note.ids : null;
  useEffect(() => {
    if (!isHeld || ids === null) return;
    const ask = async () => {
      const until = await removal.extendUndo(ids);
      if (until === 'over') toasts.dismiss(id);
      else if (until !== null) toasts.update(id, { kind: 'deleted', ids, until });
    };
    void ask();
    const timer = setInterval(() => void ask(), MORE_TIME_MS);
    return () => clearInterval(timer);
  }, [isHeld, ids, id, removal, toasts]);
};

export const Message = ({ toast }: { readonly toast: Toast }) => {
  const stores = useAppStores();
  const { toasts, view, now } = stores;
  const locale = useLocale();
  const [isActive, setActive] = useState(false);
  const { tone, title, about, text, action, other, until, progress } = wordsOf(toast.note, locale, stores);
  const isSticky =
    isActive || (until === undefined && (tone === 'bad' || (action !== undefined && !action.isOptional)));
  useMoreTime(toast, isActive);

  useEffect(() => {
    if (isSticky) return;
    const shownMs = until === undefined ? SHOWN_MS : Math.max(0, until - now());
    const timer = setTimeout(() => toasts.dismiss(toast.id), shownMs);
    return () => clearTimeout(timer);
  }, [isSticky, until, now, toasts, toast.id]);

  const Icon = ICONS[tone];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only gives more time to read
    <div
      data-message
      className={styles.toast}
      onMouseEnter={() => setActive(true)}
      onMouseLeave={({ currentTarget }) => setActive(currentTarget.contains(document.activeElement))}
      onFocus={() => setActive(true)}
      onBlur={() => setActive(false)}
    >
      <Icon className={cx(styles[tone])} size={18} aria-hidden />
      <div className={styles.words}>
        <p className={styles.title}>
          {about ? (
            <a href={addressOf({ screen: 'item', id: about.id })} title={about.name}>
              {title}
            </a>
          ) : (
            title
          )}
        </p>
        {text !== null && <p className={styles.text}>{text}</p>}
        {progress && (
          <ProgressBar
            label={progress.label}
            valueText={progress.part === null ? '' : locale.format.percent(progress.part)}
            fraction={progress.part}
            tone="moving"
          />
        )}
        {action && (
          <div className={styles.actions}>
            <Button
              tone={progress ? 'outline' : 'primary'}
              onPress={() => {
                action.run();
                if (action.shows === 'home') view.show('home');
                toasts.dismiss(toast.id);
              }}
            >
              {action.label}
            </Button>
            {other && <Button onPress={other.run}>{other.label}</Button>}
          </div>
        )}
      </div>
      <IconButton icon={X} label={locale.t.app.dismiss} onPress={() => toasts.dismiss(toast.id)} />
    </div>
  );
};

/** F6 moves focus to the newest message and back; a removed message returns focus, too. */
const useMessageKey = (corner: RefObject<HTMLElement | null>, count: number): void => {
  const before = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || !isPlainKey(event)) return;
      const container = corner.current;
      // While a dialog is open, messages cannot be reached.
      if (container?.closest('[inert]')) return;
      if (container?.contains(document.activeElement)) {
        event.preventDefault();
        goBack(before.current);
        return;
      }
      const button = [...(container?.querySelectorAll<HTMLElement>('[data-message]') ?? [])]
        .at(-1)
        ?.querySelector('button');
      if (!button) return;
      event.preventDefault();
      before.current = focusedElement(document);
      button.focus();
    };
    // In the capture phase, before a focused component can stop the key.
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [corner]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a message was removed
  useEffect(() => {
    if (before.current === null || document.activeElement !== document.body) return;
    goBack(before.current);
    before.current = null;
  }, [count]);
};

const goBack = (place: HTMLElement | null): void => {
  const there = place?.isConnected && place !== document.body ? place : document.querySelector<HTMLElement>('main');
  there?.focus();
};
