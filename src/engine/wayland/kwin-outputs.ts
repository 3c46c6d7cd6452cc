/**
 * Detects KWin, the compositor of KDE Plasma, and reads its outputs (monitors) over D-Bus. The Wayland socket of KWin
 * is not used, because connecting to it from Node took about four seconds in measurements.
 */
import { err, ok, type Result } from '../../api/errors.ts';
import type { Compositor, Output } from './compositor.ts';
import { openSessionBus } from './session-bus.ts';
import { desktopName, type Environment } from './session-environment.ts';

export const isKWin = (environment: Environment): boolean => desktopName(environment) === 'KDE Plasma';

const SUPPORT_INFORMATION = {
  destination: 'org.kde.KWin',
  path: '/KWin',
  interface: 'org.kde.KWin',
  member: 'supportInformation',
} as const;
const TIMEOUT_MS = 10_000;

/** As `askCompositor`. KWin offers no protocol that reads the screen to other programs. */
export const askKWin = async (environment: Environment, signal: AbortSignal): Promise<Result<Compositor, string>> => {
  const bus = await openSessionBus(environment, signal);
  if (bus === null) return err('The session bus does not answer. Run it inside a desktop session.');
  try {
    const text = await bus.call<unknown>(
      SUPPORT_INFORMATION,
      AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    );
    const outputs = parseOutputs(String(text));
    return outputs.length > 0 ? ok({ protocols: new Set(), outputs }) : err('KDE Plasma has no screen at the moment.');
  } catch (error) {
    signal.throwIfAborted();
    return err(`KWin does not answer (${(error as Error).message}). Run it inside a desktop session.`);
  } finally {
    await bus.close();
  }
};

/** Exported for tests. The part `Screens` has a paragraph for each output; positions and sizes are logical. */
export const parseOutputs = (information: string): readonly Output[] =>
  information.split(/^Screen \d+:$/m).flatMap((paragraph, index) => {
    if (index === 0 || /^Enabled: 0$/m.test(paragraph)) return [];
    const [, x, y, width, height] = /^Geometry: (-?\d+),(-?\d+),(\d+)x(\d+)$/m.exec(paragraph) ?? [];
    if (height === undefined) return [];
    const logical = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
    const scale = Number(/^Scale: ([\d.]+)$/m.exec(paragraph)?.[1] ?? 1);
    const name = /^Name: (.+)$/m.exec(paragraph)?.[1] ?? `Screen ${index}`;
    const physical = (length: number): number => Math.round(length * scale);
    return [{ name, logical, width: physical(logical.width), height: physical(logical.height), scale }];
  });
