/**
 * Shows system notifications whose listeners stay: Electron drops those of a notification that is no longer referenced,
 * which the notification centres of Windows and macOS still show.
 */
import { Notification, type NotificationConstructorOptions } from 'electron';

/** The oldest are forgotten first: a centre does not report all that it clears. */
const MOST = 50;
const kept = new Set<Notification>();
export const keptNotifications: ReadonlySet<Notification> = kept;

/** Reasons of `close` after which the system still lists the notification. */
const STILL_LISTED: ReadonlySet<string | undefined> = new Set(['timedOut', 'applicationHidden']);

export interface NotificationHandlers {
  readonly onClick?: () => void;
  /** `index`: of the button in `options.actions`. */
  readonly onAction?: (index: number) => void;
}

/** Does nothing where the desktop has no notifications. */
export const showNotification = (
  options: NotificationConstructorOptions,
  { onClick, onAction }: NotificationHandlers = {},
): void => {
  if (!Notification.isSupported()) return;
  const notice = new Notification(options);
  const forget = () => kept.delete(notice);
  kept.add(notice);
  for (const oldest of kept) {
    if (kept.size <= MOST) break;
    kept.delete(oldest);
  }
  notice.on('click', () => {
    forget();
    onClick?.();
  });
  notice.on('action', ({ actionIndex }) => {
    forget();
    onAction?.(actionIndex);
  });
  notice.on('close', ({ reason }) => {
    if (!STILL_LISTED.has(reason)) forget();
  });
  notice.show();
};
