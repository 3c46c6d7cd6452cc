/**
 * Shows system notifications for ready links, unless the user sees the link anyway. Windows and macOS show buttons to
 * copy the link and to delete it; a deletion can be undone from its own notification.
 */
import { Notification, type NotificationConstructorOptions } from 'electron';
import type { Failure } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Notifier, Opener } from '../../engine/ports.ts';
import type { DesktopTexts } from '../desktop-texts.ts';

export interface NotifierDeps {
  readonly opener: Opener;
  readonly messages: () => DesktopTexts;
  readonly platform: NodeJS.Platform;
  /** Whether the toast or the window shows this item. */
  readonly isSeen: (id: ItemId) => boolean;
  /** Null: not open yet, or closed. */
  readonly engine: () => NotifierEngine | null;
}

export interface NotifierEngine {
  readonly app: Pick<Engine['app'], 'notify'>;
  readonly library: Pick<Engine['library'], 'delete' | 'undelete'>;
  readonly link: Pick<Engine['link'], 'copy'>;
}

interface Button {
  readonly text: string;
  readonly act: (engine: NotifierEngine) => Promise<void> | void;
}

const never = new AbortController().signal;

/** Why a command on one item failed; null: it did not. */
const failureOf = (reply: ReturnType<Engine['library']['undelete']>): Failure | null =>
  reply.ok ? (reply.value.answers[0]?.failure ?? null) : reply.error;

/** A click on the notification opens the link. */
export const createNotifier = ({ opener, messages, platform, isSeen, engine }: NotifierDeps): Notifier => {
  const hasButtons = platform === 'win32' || platform === 'darwin';
  /** Electron drops the listeners of a notification that is no longer referenced. */
  const shown = new Set<Notification>();

  const show = (options: NotificationConstructorOptions, buttons: readonly Button[], onClick: () => void): void => {
    const actions = hasButtons ? buttons.map(({ text }) => ({ type: 'button', text }) as const) : [];
    const notice = new Notification({ ...options, ...(actions.length > 0 && { actions }) });
    shown.add(notice);
    const forget = () => shown.delete(notice);
    notice.on('click', () => {
      forget();
      onClick();
    });
    notice.on('close', forget);
    notice.on('action', ({ actionIndex }) => {
      forget();
      const opened = engine();
      if (opened) void buttons[actionIndex]?.act(opened);
    });
    notice.show();
  };

  const showDeleted = (id: ItemId, name: string): void => {
    const undo: Button = {
      text: messages().undelete,
      act(opened) {
        const failed = failureOf(opened.library.undelete({ ids: [id] }));
        if (failed) opened.app.notify(failed);
      },
    };
    show({ title: messages().notices.deleted, body: name }, [undo], () => {});
  };

  return {
    linked({ id, name, url }) {
      if (isSeen(id) || !Notification.isSupported()) return;
      const { notices, copyLink, deleteLink } = messages();
      const copy: Button = {
        text: copyLink,
        async act(opened) {
          const copied = await opened.link.copy({ id });
          if (!copied.ok) opened.app.notify(copied.error);
        },
      };
      const remove: Button = {
        text: deleteLink,
        async act(opened) {
          const failed = failureOf(await opened.library.delete({ ids: [id], when: 'after-undo' }, never));
          if (failed) opened.app.notify(failed);
          else showDeleted(id, name);
        },
      };
      show({ title: notices.linked, body: name }, [copy, remove], () => void opener.open(url));
    },
  };
};
