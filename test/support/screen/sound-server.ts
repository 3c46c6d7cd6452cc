/** A private PulseAudio server: the system sound is a tone of 440 Hz, the microphone one of 880 Hz. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../engine.ts';
import { isListening } from '../is-listening.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const PLAYED_HZ = 440;
export const SPOKEN_HZ = 880;

export interface SoundServer {
  /** Environment variables for programs that should record it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const openSoundServer = async (): Promise<SoundServer> => {
  const folder = temporaryFolder('sound-server');
  const socket = join(folder, 'native');
  const modules = [
    `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
    'module-null-sink sink_name=speakers',
    `module-sine sink=speakers frequency=${PLAYED_HZ}`,
    `module-sine-source source_name=voice rate=48000 frequency=${SPOKEN_HZ}`,
  ];
  const child = spawn(
    'pulseaudio',
    [
      ...['-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', '--disallow-exit=no'],
      ...modules.flatMap((module) => ['-L', module]),
    ],
    { env: { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder }, stdio: 'ignore' },
  );
  const gone = once(child, 'exit');
  await until(() => isListening(socket));
  return {
    environment: { HOME: folder, XDG_RUNTIME_DIR: folder, PULSE_SERVER: `unix:${socket}` },
    close: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
};
