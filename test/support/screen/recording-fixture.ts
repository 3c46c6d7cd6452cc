/** A real engine that records a virtual screen with a clock on it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, EngineDeps } from '../../../src/engine/engine.ts';
import type { EngineAdapters } from '../../../src/engine/engine-adapters.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import type { RecordingIn, RecordingRequest } from '../../../src/ipc/protocol/recording.ts';
import { openEngine, until } from '../engine.ts';
import type { XScreen } from './x-screen.ts';

export const never = new AbortController().signal;

/** In real time: recordings last as long as they last. */
export const openRecordingEngine = async (
  profileDir: string,
  screen: Pick<XScreen, 'environment'>,
  more: { readonly ports?: Partial<EngineDeps>; readonly alter?: (real: EngineAdapters) => EngineAdapters } = {},
): Promise<Engine> => {
  mkdirSync(profileDir, { recursive: true });
  const ports = { clock: systemClock, environment: screen.environment, ...more.ports };
  return (await openEngine(profileDir, ports, more.alter)).engine;
};

export const request = (
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  more: Partial<RecordingRequest> = {},
): RecordingRequest => ({
  target: { mode: 'region', area },
  sound: 'none',
  pointer: 'hide',
  countdownSeconds: 0,
  ...more,
});

/** Waits until the active recording is in this state. */
export const inState = <S extends 'countdown' | 'recording' | 'paused' | 'finishing' | 'review'>(
  engine: Engine,
  state: S,
): RecordingIn<S> => {
  const { recording } = engine.state();
  if (recording?.state !== state) throw new Error(`The recording is in the state ${recording?.state}, not ${state}.`);
  return recording as RecordingIn<S>;
};

export const untilIn = async <S extends Parameters<typeof inState>[1]>(
  engine: Engine,
  state: S,
): Promise<RecordingIn<S>> => {
  await until(() => engine.state().recording?.state === state);
  return inState(engine, state);
};

/** Waits until so much of the current segment is recorded. */
export const recordFor = async (engine: Engine, milliseconds: number): Promise<void> => {
  const { since } = inState(engine, 'recording');
  await until(() => Date.now() - since >= milliseconds);
};

/**
 * Waits until the encoder has written so many times, twice a second: what was on the screen before is in the file, and an
 * encoder that a busy machine had kept waiting has caught up.
 */
export const recordPieces = async (engine: Engine, count: number): Promise<void> => {
  for (let written = 0; written < count; written++) {
    const { bytes } = inState(engine, 'recording');
    await until(() => inState(engine, 'recording').bytes > bytes);
  }
};

export const recordingsOf = (profileDir: string) => join(profileDir, 'recordings');
