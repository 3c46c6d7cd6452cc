/** Shows system notifications for ready links, unless the user sees the link anyway. */
import { Notification } from 'electron';
import type { ItemId } from '../../api/ids.ts';
import type { Notifier, Opener } from '../../engine/ports.ts';
import type { Words } from '../messages.ts';

export interface NotifierDeps {
  readonly opener: Opener;
  readonly words: () => Words;
  /** Whether the toast or the window shows this item. */
  readonly isSeen: (id: ItemId) => boolean;
}

/** A click on the notification opens the link. */
export const createNotifier = ({ opener, words, isSeen }: NotifierDeps): Notifier => ({
  linked: ({ id, name, url }) => {
    if (isSeen(id) || !Notification.isSupported()) return;
    const notice = new Notification({ title: words().notices.linked, body: name });
    notice.on('click', () => void opener.open(url));
    notice.show();
  },
});
