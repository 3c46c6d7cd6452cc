/**
 * Shows new notices as system notifications while the window does not have the focus; the window itself lists them too.
 */
import type { AppEvent } from '../ipc/protocol/command-table.ts';
import { noticeKey } from '../ipc/protocol/notice-key.ts';
import type { DesktopTexts } from './desktop-texts.ts';
import { showNotification } from './show-notification.ts';

export interface NoticeNotificationsDeps {
  readonly messages: () => DesktopTexts;
  readonly isSeen: () => boolean;
  readonly show: () => void;
}

/** Returns an event listener. */
export const createNoticeNotifications = ({
  messages,
  isSeen,
  show,
}: NoticeNotificationsDeps): ((event: AppEvent) => void) => {
  let known: ReadonlySet<string> | null = null;
  return (event) => {
    if (event.type !== 'state') return;
    const { notices } = event.state;
    const before = known;
    known = new Set(notices.map(noticeKey));
    // The window shows the notices of the start.
    if (before === null || isSeen()) return;
    for (const notice of notices) {
      if (before.has(noticeKey(notice))) continue;
      const { notices: text, failure } = messages();
      showNotification({ title: text.attention, body: failure(notice) }, { onClick: show });
    }
  };
};
