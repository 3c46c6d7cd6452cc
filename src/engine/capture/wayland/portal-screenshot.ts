/**
 * Takes a screenshot of the whole desktop through xdg-desktop-portal, as one picture. Also says what the desktop will
 * ask the user before a screenshot, and which packages contain the portal of a desktop.
 */
import { lstat, readFile } from 'node:fs/promises';
import { err, type Failure, failure, ok, type Result } from '../../../api/errors.ts';
import { pathOfFileUrl } from '../../../base/node/file-url.ts';
import { rm } from '../../../base/node/retrying-fs.ts';
import type { Pixels } from '../../ports.ts';
import {
  ASK_AGAIN,
  askPortal,
  type PortalRefusal,
  portalVersion,
  rememberedAnswer,
} from '../../wayland/desktop-portal.ts';
import { openSessionBus, type SessionBus } from '../../wayland/session-bus.ts';
import { desktopName, type Environment } from '../../wayland/session-environment.ts';

const unavailable = (detail: string): Failure => failure('CAPTURE_UNAVAILABLE', detail);

/** Errors: CAPTURE_UNAVAILABLE with what to do. Rejects with the signal's reason. */
export const takeThroughPortal = async (environment: Environment, signal: AbortSignal): Promise<Result<Pixels>> => {
  const bus = await openSessionBus(environment, signal);
  if (bus === null) return err(unavailable(noPortal(environment)));
  try {
    const { Variant } = await import('dbus-native');
    const askedAt = Date.now();
    const options = { interactive: new Variant('b', false), modal: new Variant('b', false) };
    const request = { portal: 'Screenshot', member: 'Screenshot', signature: 's', body: [''], options } as const;
    const answer = await askPortal(bus, request, signal);
    if (answer.ok) return await readPicture(answer.value['uri'], askedAt, environment);
    const remembered = await rememberedAnswer(bus, signal);
    return err(unavailable(refusalText(answer.error, remembered, environment)));
  } finally {
    await bus.close();
  }
};

/** The desktop's clock and that of its file system may differ by this much. */
const CLOCKS_MS = 2_000;

const readPicture = async (uri: unknown, askedAt: number, environment: Environment): Promise<Result<Pixels>> => {
  const path = typeof uri === 'string' ? pathOfFileUrl(uri) : null;
  const name = desktopName(environment);
  if (path === null) return err(unavailable(`${name} answered without a picture. Try again.`));
  try {
    const { mtimeMs } = await lstat(path);
    const file = await readFile(path);
    // Only what was written for this request is ours to remove.
    if (mtimeMs >= askedAt - CLOCKS_MS) await rm(path, { force: true });
    const { default: sharp } = await import('sharp');
    const { data, info } = await sharp(file)
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return ok({ width: info.width, height: info.height, data: opaque(data) });
  } catch (error) {
    return err(unavailable(`The screenshot from ${name} cannot be read (${(error as Error).message}). Try again.`));
  }
};

/** GNOME's own pictures have transparent corners where the screen is black. */
const opaque = (data: Buffer): Uint8Array => {
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return data;
};

const PACKAGES: Readonly<Record<string, string>> = {
  GNOME: 'xdg-desktop-portal-gnome',
  'KDE Plasma': 'xdg-desktop-portal-kde',
};

/** Which packages of a distribution bring the portal of this desktop. */
export const portalPackages = (environment: Environment): string => {
  const own = PACKAGES[desktopName(environment)] ?? 'the portal of your desktop (such as xdg-desktop-portal-wlr)';
  return `xdg-desktop-portal and ${own}`;
};

const noPortal = (environment: Environment): string =>
  `${desktopName(environment)} shows its screen only through its portal, which does not answer. Install ${portalPackages(environment)}, sign in again, and try again.`;

const refusalText = (
  { why, detail }: PortalRefusal,
  remembered: 'yes' | 'no' | null,
  environment: Environment,
): string => {
  const name = desktopName(environment);
  if (remembered === 'no')
    return `${name} does not let programs take screenshots: its question was answered with no, and it will not ask again by itself. To be asked again, run: ${ASK_AGAIN}`;
  switch (why) {
    case 'refused':
      return `${name} was told not to let Linkshot take this screenshot. Try again, and allow it.`;
    case 'missing':
      return noPortal(environment);
    case 'gone':
      return `${name} took no screenshot: ${detail}. Try again.`;
    case 'failed':
      return `${name} took no screenshot (${detail}). Try again; linkshot doctor shows what the desktop offers.`;
  }
};

/** What the desktop will ask before the next screenshot, for the user to know beforehand; null: nothing. */
export const portalQuestion = async (environment: Environment, signal: AbortSignal): Promise<string | null> => {
  const bus = await openSessionBus(environment, signal);
  if (bus === null) return null;
  try {
    return (await asksFirst(bus, environment, signal))
      ? `${desktopName(environment)} now asks whether programs may take screenshots. Choose Allow; it remembers the answer.`
      : null;
  } finally {
    await bus.close();
  }
};

/** KDE's portal asks nothing. */
const asksFirst = async (bus: SessionBus, environment: Environment, signal: AbortSignal): Promise<boolean> =>
  desktopName(environment) === 'GNOME' &&
  (await rememberedAnswer(bus, signal)) === null &&
  (await portalVersion(bus, 'Screenshot', signal)) !== null;
