/** `session` and `protocol`: permissions, and the handler of the app's own scheme. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';
import { needsNotReady, needsReady } from './life-cycle.ts';

export const protocol = {
  handle: (scheme, handler) => {
    needsReady('protocol.handle');
    desktop.protocols.set(scheme, handler);
  },
  unhandle: (scheme) => void desktop.protocols.delete(scheme),
  isProtocolHandled: (scheme) => desktop.protocols.has(scheme),
  registerSchemesAsPrivileged: (schemes) => {
    needsNotReady('protocol.registerSchemesAsPrivileged');
    desktop.privileged.push(...schemes);
  },
} satisfies Partial<Electron.Protocol>;

type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type DeviceHandler = Parameters<Electron.Session['setDevicePermissionHandler']>[0];
type DisplayMediaHandler = Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0];
type Doubled =
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setSpellCheckerEnabled';

const partitions = new Map<string, Session>();

export class Session extends EventEmitter implements Pick<Electron.Session, Doubled> {
  static readonly defaultSession = new Session();
  /** One session for each name, as in Electron. */
  static fromPartition(name: string): Session {
    const known = partitions.get(name) ?? new Session();
    partitions.set(name, known);
    return known;
  }
  readonly protocol = protocol;
  requestHandler: RequestHandler = null;
  checkHandler: CheckHandler = null;
  deviceHandler: DeviceHandler = null;
  displayMediaHandler: DisplayMediaHandler = null;
  setPermissionRequestHandler(handler: RequestHandler): void {
    this.requestHandler = handler;
  }
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.checkHandler = handler;
  }
  setDevicePermissionHandler(handler: DeviceHandler): void {
    this.deviceHandler = handler;
  }
  setDisplayMediaRequestHandler(handler: DisplayMediaHandler): void {
    this.displayMediaHandler = handler;
  }
  setSpellCheckerEnabled(): void {}
}
