/** What the rooms of the modelled service share. */
import { createHash } from 'node:crypto';
import type { Content } from '../../src/contract/content.ts';
import type { Dice } from './dice.ts';
import type { Life, Timeline } from './timeline.ts';

export interface Published {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
}

export interface Premises {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly broken: (promise: string) => void;
  life(): Life;
  isFull(account: string, bytes: number): boolean;
  publish(account: string, name: string, bytes: Uint8Array): Content;
}

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
