/**
 * Lists the displays of an X screen (RandR's monitors) as the user has arranged them, with their scale. Also reads the
 * area of the whole screen.
 */
import type { Area, Display } from '../../../ipc/protocol/capture.ts';
import { isXError, type XConnection } from '../../x11/x11-connection.ts';
import { overlapOf } from '../areas.ts';
import { readProperties } from './window-properties.ts';

const GET_MONITORS = 42;
const HEADER_BYTES = 24;
const MONITOR_BYTES = 24;
const PLAIN_DPI = 96;

interface Monitor {
  readonly name: number;
  readonly isPrimary: boolean;
  readonly area: Area;
}

/** Parses the reply to RRGetMonitors, without its first eight bytes. */
export const parseMonitors = (reply: Buffer): readonly Monitor[] => {
  const count = reply.readUInt32LE(4);
  const monitors: Monitor[] = [];
  for (let index = 0, at = HEADER_BYTES; index < count; index++) {
    monitors.push({
      name: reply.readUInt32LE(at),
      isPrimary: reply[at + 4] === 1,
      area: {
        x: reply.readInt16LE(at + 8),
        y: reply.readInt16LE(at + 10),
        width: reply.readUInt16LE(at + 12),
        height: reply.readUInt16LE(at + 14),
      },
    });
    at += MONITOR_BYTES + reply.readUInt16LE(at + 6) * 4;
  }
  return monitors;
};

/** Parses `Xft.dpi:	120` of the X resources: physical pixels per logical pixel. */
export const scaleOf = (resources: string): number => {
  const dpi = Number(/^Xft\.dpi:[ \t]*([\d.]+)/m.exec(resources)?.[1]);
  return dpi >= PLAIN_DPI / 4 && dpi <= PLAIN_DPI * 16 ? dpi / PLAIN_DPI : 1;
};

const askMonitors = async (x: XConnection): Promise<readonly Monitor[]> => {
  const randr = await x.extension('RANDR');
  if (randr === null) return [];
  const request = Buffer.from([randr, GET_MONITORS, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
  request.writeUInt32LE(x.screen.root, 4);
  try {
    return parseMonitors(await x.askBytes(request));
  } catch (error) {
    // RandR before 1.5 has no monitors.
    if (isXError(error)) return [];
    throw error;
  }
};

/** The current area of the whole X screen. */
export const rootArea = async (x: XConnection): Promise<Area> => {
  const { width, height } = await x.ask<{ width: number; height: number }>((client, answer) =>
    client.GetGeometry(x.screen.root, answer),
  );
  return { x: 0, y: 0, width, height };
};

/** The primary one first; the whole screen where the server reports no monitors. */
export const readDisplays = async (x: XConnection): Promise<readonly Display[]> => {
  const [root, monitors, resources] = await Promise.all([
    rootArea(x),
    askMonitors(x),
    readProperties(x).text(x.screen.root, 'RESOURCE_MANAGER'),
  ]);
  const scale = scaleOf(resources ?? '');
  const visible = monitors.flatMap(({ area, ...monitor }) => {
    const shown = overlapOf(area, root);
    return shown ? [{ ...monitor, area: shown }] : [];
  });
  if (visible.length === 0) return [{ ...root, number: 1, name: '', scale }];
  const sorted = visible.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  const names = await Promise.all(
    sorted.map(({ name }) => x.ask<string>((client, answer) => client.GetAtomName(name, answer))),
  );
  return sorted.map(({ area }, index) => ({ ...area, number: index + 1, name: names[index] ?? '', scale }));
};
