/**
 * Assembles the feature that makes published pictures searchable by the words in them. It registers pictures when
 * they are published, reads them in the background, and stores their words. It deletes all stored words when the user
 * turns the feature off or clears them.
 */
import type { ItemId } from '../../api/ids.ts';
import type { QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { PictureContent } from '../../ipc/protocol/vision.ts';
import type { OpenProfile } from '../profile/open-profile.ts';
import {
  createPictureWordsReader,
  type PictureWordsReader,
  type PictureWordsReaderDeps,
} from './picture-words-reader.ts';
import { createPictureWords } from './picture-words-store.ts';

export interface PictureSearchDeps extends Omit<PictureWordsReaderDeps, 'words' | 'isOn'> {
  readonly profile: OpenProfile;
  readonly profileDir: string;
  readonly settings: () => Settings;
  /** A command ends before there is time to read. */
  readonly isCommand: boolean;
}

export interface PictureSearch extends Omit<PictureWordsReader, 'wake'> {
  start(): void;
  /** Call whenever anything has changed. */
  changed(): void;
  linked(item: QueueItemIn<'linked'>): void;
  /** The user had a published picture read. */
  itemRead(id: ItemId, content: PictureContent): void;
  settingsUpdated(change: Partial<Settings>): void;
  clear(): void;
}

export const createPictureSearch = (deps: PictureSearchDeps): PictureSearch => {
  const { profile, settings, isCommand } = deps;
  const words = createPictureWords(profile, deps.profileDir);
  const isOn = (): boolean => settings().findInPictures;
  const { wake, readNow, close } = createPictureWordsReader({ ...deps, words, isOn });
  const changed = (): void => {
    if (!isCommand) wake();
  };
  return {
    start() {
      words.sweep();
      changed();
    },
    changed,
    linked(item) {
      if (isOn()) words.add(item);
    },
    itemRead(id, content) {
      if (isOn()) words.put(id, content);
    },
    settingsUpdated({ findInPictures }) {
      if (findInPictures !== false) return;
      words.clear();
      profile.scrub().catch(() => {});
    },
    clear: words.clear,
    readNow,
    close,
  };
};
