/** State and helpers shared by the parts of the modelled service. */
import { createHash } from 'node:crypto';
import type { Content, ShareFields } from '../../src/api/content.ts';
import type { Dice } from './rng.ts';
import type { Life, Timeline } from './timeline.ts';

export interface Published {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  content: Content;
  /** Of a note. */
  readonly text: string | null;
  isDeleted: boolean;
}

export interface Premises {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly broken: (promise: string) => void;
  life(): Life;
  isFull(account: string, bytes: number): boolean;
  isThere(id: string): boolean;
  publish(account: string, name: string, bytes: Buffer, type: Content['type'], share: ShareFields): Content;
}

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
