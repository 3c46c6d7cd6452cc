/** Finds the way to this session's screen; where there is none, says in words what is missing. */
import { err, failure } from '../../contract/errors.ts';
import type { Recorder } from '../ports.ts';
import { createX11Recorder } from './x11.ts';

export interface RecorderSurroundings {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What the helpers of a capture need of the environment; nothing else is handed on, least of all a key. */
const HANDED_ON = ['PATH', 'HOME', 'DISPLAY', 'XAUTHORITY', 'LANG'] as const;

export const openRecorder = ({ platform, environment }: RecorderSurroundings): Recorder => {
  if (platform !== 'linux') return unreachableScreen('Capturing without the app works on Linux only. Open Linkshot.');
  if (environment['WAYLAND_DISPLAY'] && environment['XDG_SESSION_TYPE'] === 'wayland') {
    return unreachableScreen(
      'Wayland lets no program read the screen by itself. Open Linkshot and capture from there.',
    );
  }
  const display = environment['DISPLAY'];
  if (!display)
    return unreachableScreen('There is no screen here: DISPLAY is not set. Run it inside a desktop session.');
  const handed = HANDED_ON.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  return createX11Recorder({ display, environment: Object.fromEntries(handed) });
};

const unreachableScreen = (detail: string): Recorder => {
  const no = err(failure('CAPTURE_UNAVAILABLE', detail));
  const refuse = () => Promise.resolve(no);
  return { displays: refuse, windows: refuse, freeze: refuse, grab: refuse };
};
