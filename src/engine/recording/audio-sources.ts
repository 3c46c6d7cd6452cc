/** Which sounds can be recorded here. Promise: only what ffmpeg itself has found on this computer is offered. */

import { err, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import { type ProgramError, runProgram } from '../../base/node/run-program.ts';
import type { AudioSource } from '../../ipc/protocol/recording.ts';
import type { SoundDevice } from './input-devices.ts';

/** The device of each kind; null: there is none. */
export interface AudioDevices {
  readonly system: SoundDevice | null;
  readonly microphone: SoundDevice | null;
}

const NONE: AudioDevices = { system: null, microphone: null };

/** PulseAudio and PipeWire put the monitor of the speakers that are in use behind this name. */
const SPEAKERS = '@DEFAULT_MONITOR@';

/** The answer of `-sources pulse`: `* name [description] (kinds)`, a star at the default one. */
export const parsePulseSources = (text: string): AudioDevices => {
  const sources = text.split('\n').flatMap((line) => {
    const [, star = '', name] = /^([* ]) (\S+) \[/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, isDefault: star === '*', isMonitor: name.endsWith('.monitor') }];
  });
  const microphones = sources.filter(({ isMonitor }) => !isMonitor);
  const microphone = microphones.find(({ isDefault }) => isDefault) ?? microphones[0];
  return {
    system: sources.some(({ isMonitor }) => isMonitor) ? { format: 'pulse', name: SPEAKERS } : null,
    microphone: microphone ? { format: 'pulse', name: microphone.name } : null,
  };
};

/**
 * Devices through which Windows and macOS let programs hear what is played; most computers have none. Windows names its own
 * in its own language.
 */
const LOOPBACK =
  /stereo ?mix|стерео ?микшер|mixage st[ée]r[ée]o|mezcla est[ée]reo|mixagem est[ée]reo|missaggio stereo|miks stereo|ステレオ ?ミキサー|立体声混音|立體聲混音|what u hear|wave out mix|loopback|virtual-audio-capturer|cable output|blackhole|soundflower/i;

/** The devices that `-f dshow -list_devices true` names on stderr. */
export const parseDirectShow = (text: string): AudioDevices => {
  const names = [...text.matchAll(/\] +"([^"]+)" \(audio\)/g)].map(([, name = '']) => name);
  const device = (name: string | undefined): SoundDevice | null => (name ? { format: 'dshow', name } : null);
  return {
    system: device(names.find((name) => LOOPBACK.test(name))),
    microphone: device(names.find((name) => !LOOPBACK.test(name))),
  };
};

/** The devices that `-f avfoundation -list_devices true` names on stderr, below the headline of the audio ones. */
export const parseAvFoundation = (text: string): AudioDevices => {
  const [, heard = ''] = text.split('AVFoundation audio devices:');
  const devices = [...heard.matchAll(/\] \[(\d+)\] (.+)/g)].map(([, index, name = '']) => ({
    index: Number(index),
    name,
  }));
  const device = (found: { readonly index: number } | undefined): SoundDevice | null =>
    found ? { format: 'avfoundation', index: found.index } : null;
  return {
    system: device(devices.find(({ name }) => LOOPBACK.test(name))),
    microphone: device(devices.find(({ name }) => !LOOPBACK.test(name))),
  };
};

const PATIENCE_MS = 10_000;

export const findAudioSources = async (
  program: string,
  { platform, environment }: { readonly platform: string; readonly environment: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<AudioDevices> => {
  /** Listing ends with an error code on some systems: the words count. */
  const wordsOf = (...args: readonly string[]): Promise<string> =>
    runProgram(program, ['-hide_banner', ...args], { env: { ...environment }, timeout: PATIENCE_MS, signal }).then(
      ({ stdout, stderr }) => `${stdout}${stderr}`,
      ({ stdout, stderr }: ProgramError) => `${stdout}${stderr}`,
    );
  switch (platform) {
    case 'win32':
      return parseDirectShow(await wordsOf('-f', 'dshow', '-list_devices', 'true', '-i', 'dummy'));
    case 'darwin':
      return parseAvFoundation(await wordsOf('-f', 'avfoundation', '-list_devices', 'true', '-i', ''));
    case 'linux':
      return parsePulseSources(await wordsOf('-sources', 'pulse'));
    default:
      return NONE;
  }
};

/** The kinds that can be chosen. */
export const offeredAudioSources = ({ system, microphone }: AudioDevices): readonly AudioSource[] => [
  'none',
  ...(system ? (['system'] as const) : []),
  ...(microphone ? (['microphone'] as const) : []),
  ...(system && microphone ? (['both'] as const) : []),
];

const missing = (what: string) =>
  err(failure('CAPTURE_UNAVAILABLE', `${what} cannot be recorded here. Record without it, or choose another sound.`));

/** What is listened to. Errors: CAPTURE_UNAVAILABLE that says what there is not. */
export const devicesFor = (
  sound: AudioSource,
  { system, microphone }: AudioDevices,
): Result<readonly SoundDevice[]> => {
  switch (sound) {
    case 'none':
      return ok([]);
    case 'system':
      return system ? ok([system]) : missing('The sound of this computer');
    case 'microphone':
      return microphone ? ok([microphone]) : missing('A microphone');
    case 'both':
      if (!system) return missing('The sound of this computer');
      return microphone ? ok([system, microphone]) : missing('A microphone');
    default:
      return unreachable(sound);
  }
};
