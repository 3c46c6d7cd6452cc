/** `Notification`: records shown notifications, which a test may click. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';

export class Notification extends EventEmitter implements Pick<Electron.Notification, 'show' | 'close'> {
  static isSupported(): boolean {
    return true;
  }
  readonly options: Electron.NotificationConstructorOptions;
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super();
    this.options = options;
  }
  show(): void {
    desktop.notices.push(this);
    this.emit('show', {});
  }
  close(): void {
    desktop.notices = desktop.notices.filter((notice) => notice !== this);
  }
}
