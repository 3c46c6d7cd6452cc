/** Captures the screen into the queue. Promise: what was taken lies in the spool before anything else is tried with it. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Area, CaptureRequest, Display } from '../../contract/capture.ts';
import type { ShareFields } from '../../contract/content.ts';
import { err, failure, ok, type Result, unreachable } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';
import type { NewItem } from '../door.ts';
import { type Clock, type Random, type Recorder, UNFINISHED } from '../ports.ts';
import type { CaptureDoor } from './door.ts';

export interface CaptureDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly spoolDir: string;
  readonly add: (items: readonly NewItem[]) => Promise<Result<readonly ItemId[]>>;
}

export const createCapture = (deps: CaptureDeps): Pick<CaptureDoor, 'capture' | 'displays'> => {
  const { clock, random, recorder, spoolDir, add } = deps;

  const take = async (request: CaptureRequest, share: ShareFields, signal: AbortSignal): Promise<Result<ItemId>> => {
    await clock.sleep(request.delaySeconds * 1000, signal);
    const displays = await recorder.displays(signal);
    if (!displays.ok) return displays;
    const area = areaOf(request, displays.value);
    if (!area.ok) return area;
    const path = join(spoolDir, `${random.uuid()}.png`);
    const unfinished = `${path}${UNFINISHED}`;
    const taken = await recorder.grab(area.value, request.pointer, signal);
    if (!taken.ok) return taken;
    const { width, height, data } = taken.value;
    // Alpha is always full; a picture without it is smaller.
    await sharp(data, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .png()
      .toFile(unfinished);
    await rename(unfinished, path);
    const added = await add([{ source: { owner: 'spool', path }, name: nameAt(new Date(clock.now())), origin: 'capture', share }]);
    if (!added.ok) return added;
    const [id] = added.value;
    return id ? ok(id) : err(failure('APP_FAILED', 'The capture got no place in the queue. Try again.'));
  };

  return {
    async capture(request, share, signal) {
      try {
        return await take(request, share, signal);
      } catch (error) {
        if (signal.aborted) return err(failure('CANCELLED', 'The capture was given up.'));
        throw error;
      }
    },
    displays: recorder.displays,
  };
};

/** The smallest area that holds all displays. */
const desktopOf = (displays: readonly Display[]): Area => {
  const x = Math.min(...displays.map((display) => display.x));
  const y = Math.min(...displays.map((display) => display.y));
  const right = Math.max(...displays.map((display) => display.x + display.width));
  const bottom = Math.max(...displays.map((display) => display.y + display.height));
  return { x, y, width: right - x, height: bottom - y };
};

const areaOf = ({ target }: CaptureRequest, displays: readonly Display[]): Result<Area> => {
  const desktop = desktopOf(displays);
  switch (target.mode) {
    case 'all':
      return ok(desktop);
    case 'screen': {
      const display = displays[target.number - 1];
      if (display) return ok(display);
      const count = displays.length === 1 ? 'There is one screen' : `There are ${displays.length} screens`;
      return err(failure('CAPTURE_AREA_INVALID', `There is no screen ${target.number}. ${count}, counted from 1.`));
    }
    case 'window':
    case 'last':
      return err(failure('CAPTURE_AREA_INVALID', 'No region was chosen before.'));
    case 'region': {
      const { x, y, width, height } = target.area;
      const isInside =
        x >= desktop.x &&
        y >= desktop.y &&
        x + width <= desktop.x + desktop.width &&
        y + height <= desktop.y + desktop.height;
      if (isInside) return ok(target.area);
      const whole = `${desktop.width} x ${desktop.height} pixels from ${desktop.x},${desktop.y}`;
      return err(failure('CAPTURE_AREA_INVALID', `The region reaches beyond the desktop, which is ${whole}.`));
    }
    default:
      return unreachable(target);
  }
};

const nameAt = (now: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `Screenshot ${day} ${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())}.png`;
};
