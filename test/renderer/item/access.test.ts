/** The access sentence says who can open a link, how often and until when, for every state of the service. */
import { describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import type { LibraryItem } from '../../../src/ipc/protocol/library-item.ts';
import { en } from '../../../src/renderer/locales/en.ts';
import { createLocale } from '../../../src/renderer/locales/locale.tsx';
import { ru } from '../../../src/renderer/locales/ru.ts';
import { accessSentence } from '../../../src/renderer/screens/item/access-sentence.ts';
import { accessOf } from '../../../src/renderer/screens/item/link-access.ts';
import { makeLibraryItem } from '../../support/window/app-state.ts';

/** Friday noon, wherever this runs. */
const NOW = new Date(2026, 10, 20, 12).getTime();
const at = (day: number, hour: number): string => new Date(2026, 10, day, hour).toISOString();
const locales = { en: createLocale('en', en, 'en-GB'), ru: createLocale('ru', ru, 'ru-RU') };

const item = (content: Partial<Content>, own: Partial<LibraryItem> = {}): LibraryItem => ({
  ...makeLibraryItem(1, content),
  ...own,
});
const say = (language: 'en' | 'ru', thing: LibraryItem): string =>
  accessSentence(locales[language], accessOf(thing, NOW), NOW).replaceAll(/[\u00a0\u202f]/g, ' ');

describe('an open link', () => {
  it.each<[Partial<Content>, string, string]>([
    [{}, 'Anyone with the link.', 'Все, у кого есть ссылка.'],
    [{ visibility: 'public' }, 'Everyone.', 'Все.'],
    [{ passwordProtected: true }, 'Anyone with the link and the password.', 'Все, у кого есть ссылка и пароль.'],
    [{ visibility: 'public', passwordProtected: true }, 'Anyone with the password.', 'Все, у кого есть пароль.'],
    [{ oneTime: true }, 'Anyone with the link, once.', 'Все, у кого есть ссылка, один раз.'],
    [
      { oneTime: true, expiresAt: at(25, 18) },
      'Anyone with the link, once, until Wednesday 18:00.',
      'Все, у кого есть ссылка, один раз, до среды, 18:00.',
    ],
    [{ viewLimit: 5, views: 2 }, 'Anyone with the link, 3 more times.', 'Все, у кого есть ссылка, ещё 3 раза.'],
    [{ viewLimit: 5, views: 4 }, 'Anyone with the link, 1 more time.', 'Все, у кого есть ссылка, ещё 1 раз.'],
    [{ viewLimit: 21, views: 0 }, 'Anyone with the link, 21 more times.', 'Все, у кого есть ссылка, ещё 21 раз.'],
    [{ viewLimit: 5, oneTime: true }, 'Anyone with the link, once.', 'Все, у кого есть ссылка, один раз.'],
    [{ allowDownload: false }, 'Anyone with the link, no downloads.', 'Все, у кого есть ссылка, без скачивания.'],
    [
      { passwordProtected: true, viewLimit: 9, views: 4, allowDownload: false, expiresAt: at(21, 9) },
      'Anyone with the link and the password, 5 more times, no downloads, until 09:00 tomorrow.',
      'Все, у кого есть ссылка и пароль, ещё 5 раз, без скачивания, до завтра, 09:00.',
    ],
  ])('%j', (content, english, russian) => {
    expect([say('en', item(content)), say('ru', item(content))]).toEqual([english, russian]);
  });

  it('has a word for each of its settings, in every combination, and no loose ends', () => {
    const said = new Set<string>();
    let combinations = 0;
    for (const visibility of ['unlisted', 'public'] as const)
      for (const passwordProtected of [false, true])
        for (const oneTime of [false, true])
          for (const viewLimit of [null, 7])
            for (const allowDownload of [false, true])
              for (const expiresAt of [null, at(20, 18), at(30, 18)]) {
                const content = { visibility, passwordProtected, oneTime, viewLimit, allowDownload, expiresAt };
                combinations += 1;
                for (const language of ['en', 'ru'] as const) {
                  const sentence = say(language, item(content));
                  expect(sentence).toMatch(/^\p{Lu}.*[^.,\s]\.$/u);
                  expect(sentence).not.toMatch(/undefined|null|NaN|,\s*,|,\.| {2}/);
                  said.add(sentence);
                }
              }
    // Whether a limit is set beside one-time makes no difference to anybody: the first viewer is the last.
    expect(said.size).toBe(2 * (combinations - combinations / 4));
  });
});

describe('the end of a link', () => {
  it.each<[string, string, string]>([
    [at(20, 18), 'until 18:00 today', 'сегодня до 18:00'],
    [at(21, 0), 'until 00:00 tomorrow', 'до завтра, 00:00'],
    [at(22, 18), 'until Sunday 18:00', 'до воскресенья, 18:00'],
    [at(23, 18), 'until Monday 18:00', 'до понедельника, 18:00'],
    [at(24, 18), 'until Tuesday 18:00', 'до вторника, 18:00'],
    [at(26, 18), 'until Thursday 18:00', 'до четверга, 18:00'],
    // A week later it is the same weekday again: only a date is unmistakable.
    [at(27, 18), 'until 27 Nov 2026, 18:00', 'до 27 нояб. 2026 г., 18:00'],
  ])('%s', (expiresAt, english, russian) => {
    expect(say('en', item({ expiresAt }))).toBe(`Anyone with the link, ${english}.`);
    expect(say('ru', item({ expiresAt }))).toBe(`Все, у кого есть ссылка, ${russian}.`);
  });
});

describe('a link that is not open', () => {
  const consumed = { oneTime: true, consumedAt: at(20, 11) };
  it.each<[string, LibraryItem, string, string]>([
    ['private', item({ visibility: 'private' }), 'Only you.', 'Только вы.'],
    [
      'private with an expiry; password and one-time have no effect',
      item({ visibility: 'private', passwordProtected: true, oneTime: true, expiresAt: at(20, 18) }),
      'Only you, until 18:00 today.',
      'Только вы, сегодня до 18:00.',
    ],
    [
      'consumed',
      item(consumed),
      'No one: the one-time link was opened on 20 Nov 2026, 11:00.',
      'Никто: одноразовая ссылка открыта 20 нояб. 2026 г., 11:00.',
    ],
    [
      'consumed and still being read',
      item({ ...consumed, readExpiresAt: new Date(NOW + 240_000).toISOString() }),
      'Only the person who opened it, until 12:04.',
      'Только тот, кто открыл ссылку, до 12:04.',
    ],
    [
      'consumed, and its ten minutes are over',
      item({ ...consumed, readExpiresAt: new Date(NOW - 1).toISOString() }),
      'No one: the one-time link was opened on 20 Nov 2026, 11:00.',
      'Никто: одноразовая ссылка открыта 20 нояб. 2026 г., 11:00.',
    ],
    [
      'all views used',
      item({ viewLimit: 5, views: 5, viewLimitReachedAt: at(20, 11) }),
      'No new viewers: view limit reached (5 of 5).',
      'Для новых посетителей закрыто: использованы все 5 просмотров.',
    ],
    [
      'its one view used',
      item({ viewLimit: 1, views: 1 }),
      'No new viewers: view limit reached (1 of 1).',
      'Для новых посетителей закрыто: использован 1 просмотр.',
    ],
    [
      'expired, also where the service has deleted it since',
      item({ expiresAt: at(19, 18), visibility: 'private' }, { goneAt: NOW }),
      'No one: the link expired on 19 Nov 2026, 18:00.',
      'Никто: срок ссылки истёк 19 нояб. 2026 г., 18:00.',
    ],
    [
      'gone',
      item({ oneTime: true }, { goneAt: NOW }),
      'No one: it’s no longer on the server.',
      'Никто: элемента больше нет на сервере.',
    ],
    [
      'being deleted',
      item({}, { deletingAt: NOW + 9_000 }),
      'No one: it’s being deleted.',
      'Никто: элемент удаляется.',
    ],
    [
      'held for review',
      item({ moderationHold: 'review', visibility: 'public' }),
      'Only you, while a moderator reviews it.',
      'Только вы, пока элемент проверяет модератор.',
    ],
    [
      'blocked',
      item({ moderationHold: 'blocked', ...consumed }),
      'Only you: a moderator blocked it.',
      'Только вы: элемент заблокирован модератором.',
    ],
  ])('%s', (_, thing, english, russian) => {
    expect([say('en', thing), say('ru', thing)]).toEqual([english, russian]);
  });

  it('is not shown as used while it is allowed again', () => {
    expect(say('en', item({ oneTime: true, consumedAt: null }))).toBe('Anyone with the link, once.');
    expect(say('en', item({ oneTime: false, consumedAt: at(20, 11) }))).toBe('Anyone with the link.');
  });
});
