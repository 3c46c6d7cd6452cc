/**
 * Finds the audio devices that ffmpeg can record on this computer, the audio sources that the user can choose with
 * them, and the devices of a chosen source.
 */

import { err, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import { type ProgramError, runProgram } from '../../base/node/run-program.ts';
import type { AudioSource } from '../../ipc/protocol/recording.ts';
import type { SoundDevice } from './input-arguments.ts';

/** The device of each kind; null: there is no such device. */
export interface AudioDevices {
  readonly system: SoundDevice | null;
  readonly microphone: SoundDevice | null;
}

const NONE: AudioDevices = { system: null, microphone: null };

/** PulseAudio and PipeWire resolve this name to the monitor of the current speakers. */
const SPEAKERS = '@DEFAULT_MONITOR@';

/** Parses `-sources pulse`: `* name [description] (kinds)`, the default one marked with a star. */
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
 * Loopback devices, through which Windows and macOS expose the played sound; most computers have no such device.
 * Windows localizes the name of its own.
 */
const LOOPBACK =
  /stereo ?mix|стерео ?микшер|mixage st[ée]r[ée]o|mezcla est[ée]reo|mixagem est[ée]reo|missaggio stereo|miks stereo|ステレオ ?ミキサー|立体声混音|立體聲混音|what u hear|wave out mix|loopback|virtual-audio-capturer|cable output|blackhole|soundflower/i;

/** A name, and in the next line the one that ffmpeg opens: unlike the first, it is unique and has no colon. */
const DIRECTSHOW_AUDIO = /\] +"(.+)" \(audio\)(?:\r?\n.*\] +Alternative name "(.+)")?/g;

/** Parses the stderr of `-f dshow -list_devices true`. */
export const parseDirectShow = (text: string): AudioDevices => {
  const devices = [...text.matchAll(DIRECTSHOW_AUDIO)].map(([, name = '', alternative = name]) => ({
    name,
    alternative,
  }));
  const device = (found: { readonly alternative: string } | undefined): SoundDevice | null =>
    found ? { format: 'dshow', name: found.alternative } : null;
  return {
    system: device(devices.find(({ name }) => LOOPBACK.test(name))),
    microphone: device(devices.find(({ name }) => !LOOPBACK.test(name))),
  };
};

/** Parses the stderr of `-f avfoundation -list_devices true`, from the heading of the audio devices on. */
export const parseAvFoundation = (text: string): AudioDevices => {
  const [, audioSection = ''] = text.split('AVFoundation audio devices:');
  const devices = [...audioSection.matchAll(/\] \[(\d+)\] (.+)/g)].map(([, index, name = '']) => ({
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

const TIMEOUT_MS = 10_000;

export const findAudioDevices = async (
  program: string,
  { platform, environment }: { readonly platform: string; readonly environment: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<AudioDevices> => {
  /** Listing exits with an error code on some systems: only the output counts. */
  const outputOf = (...args: readonly string[]): Promise<string> =>
    runProgram(program, ['-hide_banner', ...args], { env: { ...environment }, timeout: TIMEOUT_MS, signal }).then(
      ({ stdout, stderr }) => `${stdout}${stderr}`,
      ({ stdout, stderr }: ProgramError) => `${stdout}${stderr}`,
    );
  switch (platform) {
    case 'win32':
      return parseDirectShow(await outputOf('-f', 'dshow', '-list_devices', 'true', '-i', 'dummy'));
    case 'darwin':
      return parseAvFoundation(await outputOf('-f', 'avfoundation', '-list_devices', 'true', '-i', ''));
    case 'linux':
      return parsePulseSources(await outputOf('-sources', 'pulse'));
    default:
      return NONE;
  }
};

/** The options that the user can choose. */
export const offeredAudioSources = ({ system, microphone }: AudioDevices): readonly AudioSource[] => [
  'none',
  ...(system ? (['system'] as const) : []),
  ...(microphone ? (['microphone'] as const) : []),
  ...(system && microphone ? (['both'] as const) : []),
];

const missing = (what: string) =>
  err(
    failure(
      'CAPTURE_UNAVAILABLE',
      `${what} cannot be recorded here. Record without it, or choose another audio source.`,
    ),
  );

/** The devices to record. Errors: CAPTURE_UNAVAILABLE that names the missing device. */
export const devicesFor = (
  sound: AudioSource,
  { system, microphone }: AudioDevices,
): Result<readonly SoundDevice[]> => {
  switch (sound) {
    case 'none':
      return ok([]);
    case 'system':
      return system ? ok([system]) : missing('System audio');
    case 'microphone':
      return microphone ? ok([microphone]) : missing('A microphone');
    case 'both':
      if (!system) return missing('System audio');
      return microphone ? ok([system, microphone]) : missing('A microphone');
    default:
      return unreachable(sound);
  }
};
