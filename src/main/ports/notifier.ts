/** Tells of ready links in notices of the system. Promise: none where the person sees the link anyway. */
import { Notification } from 'electron';
import type { Notifier, Opener } from '../../engine/ports.ts';
import type { Words } from '../words.ts';

export interface NotifierDeps {
  readonly opener: Opener;
  readonly words: () => Words;
  /** Whether the toast or the window tells of it. */
  readonly isSeen: () => boolean;
}

/** A click on the notice opens the link. */
export const createNotifier = ({ opener, words, isSeen }: NotifierDeps): Notifier => ({
  linked: ({ name, url }) => {
    if (isSeen() || !Notification.isSupported()) return;
    const notice = new Notification({ title: words().notices.linked, body: name });
    notice.on('click', () => void opener.open(url));
    notice.show();
  },
});
