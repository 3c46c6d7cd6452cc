/** Shows system notifications for ready links, unless the user sees the link anyway. */
import { Notification } from 'electron';
import type { ItemId } from '../../api/ids.ts';
import type { Notifier, Opener } from '../../engine/ports.ts';
import type { Messages } from '../messages.ts';

export interface NotifierDeps {
  readonly opener: Opener;
  readonly messages: () => Messages;
  /** Whether the toast or the window shows this item. */
  readonly isSeen: (id: ItemId) => boolean;
}

/** A click on the notification opens the link. */
export const createNotifier = ({ opener, messages, isSeen }: NotifierDeps): Notifier => ({
  linked: ({ id, name, url }) => {
    if (isSeen(id) || !Notification.isSupported()) return;
    const notice = new Notification({ title: messages().notices.linked, body: name });
    notice.on('click', () => void opener.open(url));
    notice.show();
  },
});
