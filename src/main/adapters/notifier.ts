/**
 * Shows system notifications for ready links, unless the user sees the link anyway. Windows and macOS show buttons to
 * copy the link and to delete it; a deletion can be undone from its own notification.
 */
import type { NotificationConstructorOptions } from 'electron';
import type { Failure } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Notifier, Opener } from '../../engine/ports.ts';
import type { DesktopTexts } from '../desktop-texts.ts';
import { showNotification } from '../show-notification.ts';

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

  const show = (options: NotificationConstructorOptions, buttons: readonly Button[], onClick: () => void): void => {
    const actions = hasButtons ? buttons.map(({ text }) => ({ type: 'button', text }) as const) : [];
    const onAction = (index: number): void => {
      const opened = engine();
      if (opened) void buttons[index]?.act(opened);
    };
    showNotification({ ...options, ...(actions.length > 0 && { actions }) }, { onClick, onAction });
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
      if (isSeen(id)) return;
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
