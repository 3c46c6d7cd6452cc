/**
 * Numbers of ports and screens that are given once in a run, to one of its processes: who closes one and takes it again
 * finds nobody else there, and who asks for one that is closed hears nobody else.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FOLDER } from '../../scripts/test-run/run-folder.ts';

export interface NumberRange {
  readonly kind: 'port' | 'screen';
  readonly first: number;
  readonly count: number;
}

const last = new Map<string, number>();

/** Whether no other process of the run has it; outside of a run there is nobody to ask. */
const claim = (kind: string, number: number): boolean => {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) return true;
  mkdirSync(join(folder, 'claimed'), { recursive: true });
  try {
    mkdirSync(join(folder, 'claimed', `${kind}-${number}`));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
};

/** Processes begin at different numbers. A run that has used all of a range takes them again. */
export const claimNumber = ({ kind, first, count }: NumberRange): number => {
  let number = last.get(kind) ?? Math.floor(Math.random() * count);
  for (let tried = 0; tried < count; tried += 1) {
    number = (number + 1) % count;
    if (claim(kind, first + number)) break;
  }
  last.set(kind, number);
  return first + number;
};
