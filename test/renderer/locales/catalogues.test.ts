import { describe, expect, it } from 'vitest';
import { APP_ERRORS, type ErrorCode, type Failure, failure, SERVICE_ERRORS } from '../../../src/api/errors.ts';
import { chooseLanguage } from '../../../src/renderer/locales/choose-language.ts';
import { en } from '../../../src/renderer/locales/en.ts';
import { createLocale } from '../../../src/renderer/locales/locale.tsx';
import { ru } from '../../../src/renderer/locales/ru.ts';

const CODES = [...Object.keys(SERVICE_ERRORS), ...Object.keys(APP_ERRORS)] as ErrorCode[];
const locales = { en: createLocale('en', en), ru: createLocale('ru', ru) };

/** Every sentence of a catalogue with its path; functions are called with sample words. */
const sentences = (value: unknown, path = ''): [string, string][] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return sentences((value as (...words: unknown[]) => unknown)('1', '2', '3'), path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => sentences(inner, `${path}.${key}`));
};

/** Formats are called the same in every language. */
const FORMATS = new Set(['Markdown', 'HTML', 'BBCode']);

const words = (failed: Failure) => ({ en: locales.en.failure(failed), ru: locales.ru.failure(failed) });

describe('catalogues', () => {
  it('have the same entries in both languages, and no empty one', () => {
    const [english, russian] = [sentences(en), sentences(ru)];
    expect(russian.map(([path]) => path)).toEqual(english.map(([path]) => path));
    expect([...english, ...russian].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('contain one language each', () => {
    const foreign = sentences(en).filter(([path, text]) => /[а-яё]/i.test(text) && path !== '.settings.languages.ru');
    // Names, units, keys and addresses stay as they are.
    const untranslated = sentences(ru).filter(
      ([, text]) => /[a-z]{3}/i.test(text) && !/[а-яё]/i.test(text) && !FORMATS.has(text),
    );
    expect(foreign).toEqual([]);
    expect(untranslated.map(([path]) => path)).toEqual([
      '.app.name',
      '.settings.serverPlaceholder',
      '.settings.languages.en',
      '.settings.version',
      '.settingsMore.palette.names.linkshot',
    ]);
  });

  it('count as the language does', () => {
    expect([1, 2, 5, 21, 22, 111].map((count) => ru.queue.summary(count, '1 МБ'))).toEqual([
      '1 файл · 1 МБ',
      '2 файла · 1 МБ',
      '5 файлов · 1 МБ',
      '21 файл · 1 МБ',
      '22 файла · 1 МБ',
      '111 файлов · 1 МБ',
    ]);
    expect([1, 2, 21].map((count) => en.library.count(count))).toEqual(['1 item', '2 items', '21 items']);
  });
});

describe('errors', () => {
  it.each(CODES)('%s describes what happened and what to do, in both languages', (code) => {
    for (const { title, advice } of Object.values(words(failure(code, 'detail')))) {
      expect(title).toMatch(/^\S.{5,}[^.]$/);
      expect(advice).toMatch(/^\S.{10,}\.$/);
      expect(`${title} ${advice}`).not.toMatch(/undefined|null|NaN|detail|[A-Z]{3,}_[A-Z]/);
    }
  });

  it('name the limit, and mention when no plan can raise it', () => {
    const plan = words(failure('IMAGE_TOO_LARGE', '', { params: { limitBytes: 10 * 1024 ** 2 } }));
    expect(plan.en.title).toBe('The image is larger than 10\u00a0MB');
    expect(plan.en.advice).toContain('plan with a higher limit');
    const server = words(failure('VIDEO_TOO_LARGE', '', { params: { limitBytes: 4 * 1024 ** 3, ceiling: 'server' } }));
    expect(server.en.advice).toContain('on any plan');
    expect(server.ru.title).toBe('Видео больше 4\u00a0ГБ');
  });

  it('name the problems of a video, with its numbers', () => {
    const problems = [
      { code: 'VIDEO_CODEC', actual: 'hevc', allowed: ['h264'], message: 'English only' },
      { code: 'DURATION', actual: 7_200, allowed: 3_600, message: 'English only' },
      { code: 'BITRATE', actual: 61_500_000, allowed: 40_000_000, message: 'English only' },
      { code: 'SOMETHING_NEW', actual: 1, allowed: 0, message: 'English only' },
    ];
    const { en: english, ru: russian } = words(failure('VIDEO_NOT_SUITABLE', '', { params: { problems } }));
    expect(english.title.replaceAll('\u00a0', ' ')).toBe(
      'The video isn’t supported: the video codec is hevc instead of h264, it lasts 2 h, and the limit is 1 h, and 61.5 Mbit/s, and the limit is 40',
    );
    expect(russian.title).toContain('видеокодек hevc, а нужен h264');
  });

  it('name the missing permission and the missing feature', () => {
    expect(words(failure('SCOPE_MISSING', '', { params: { scope: 'content:write' } })).ru.title).toContain(
      'content:write',
    );
    const { en: english } = words(failure('PLAN_FEATURE_REQUIRED', '', { params: { feature: 'view_limit' } }));
    expect(english.title).toBe('Your plan doesn’t include view limits');
    expect(english.advice).toBe('Turn it off for this item, or choose a plan that includes it.');
  });

  it('name the plan that has a missing feature, and that it can be tried', () => {
    const plan = { feature: 'view_limit', planCode: 'pro', planName: { en: 'Pro', ru: 'Про' }, trial: 'available' };
    const { en: english, ru: russian } = words(failure('PLAN_FEATURE_REQUIRED', '', { params: plan }));
    expect(english.advice).toContain('choose the Pro plan, which you can try for free');
    expect(russian.advice).toContain('тариф «Про»: его можно попробовать бесплатно');
  });

  it('say that a folder leads to another computer, and where to', () => {
    const params = { system: 'EREMOTE', name: '//host/share' };
    const { en: english, ru: russian } = words(failure('SOURCE_UNREADABLE', '', { params }));
    expect(english.title).toBe('The folder’s git settings lead to another computer');
    expect(english.advice).toContain('doesn’t open //host/share');
    expect(russian.title).toBe('Настройки git в папке ведут на другой компьютер');
    expect(russian.advice).toContain('не открывает //host/share');
  });

  it.each(['EIO', 'ENXIO', 'ENODEV', 'ESTALE'])(
    'ask for the drive of a file that was read when its drive went away (%s)',
    (system) => {
      const { en: english, ru: russian } = words(failure('SOURCE_UNREADABLE', '', { params: { system } }));
      expect(english.advice).toContain('its drive is connected');
      expect(russian.advice).toContain('диск');
    },
  );

  it('name the file of a folder that cannot be read because its drive is away', () => {
    const params = { system: 'EIO', name: '/home/anna/project/.gitignore' };
    const { en: english, ru: russian } = words(failure('SOURCE_UNREADABLE', '', { params }));
    for (const { advice } of [english, russian]) expect(advice).toContain('/home/anna/project/.gitignore');
  });

  it('say that a recording was shared already, and by whom', () => {
    const { en: english, ru: russian } = words(failure('CAPTURE_GONE', '', { params: { place: 'queue' } }));
    expect(english.title).toBe('This recording has already been shared, with other settings');
    expect(english.advice).toContain('Another window');
    expect(russian.title).toContain('уже поделились');
    expect(russian.advice).toContain('в другом окне');
  });

  it('contain the time to wait that the server sent', () => {
    expect(words(failure('RATE_LIMITED', '', { afterMs: 30_000 })).en.advice).toBe('Wait 30\u00a0s, then try again.');
  });

  it('never show raw data: an unknown code and odd params still read as sentences', () => {
    const odd = { code: 'FROM_THE_FUTURE', detail: '{"x":1}', params: { problems: 7, limitBytes: 'many' } };
    expect(words(odd as unknown as Failure).en).toEqual(words(failure('INTERNAL', '')).en);
    const tooLarge = words(failure('UPLOAD_TOO_LARGE', '', { params: { limitBytes: 'many' } }));
    expect(tooLarge.en.title).toBe('The file is too large');
  });
});

describe('choice of language', () => {
  it('follows the setting, then the browser, then English', () => {
    expect(chooseLanguage('ru', ['en-US'])).toEqual({ language: 'ru', tag: 'ru' });
    expect(chooseLanguage('system', ['de-DE', 'ru-RU', 'en'])).toEqual({ language: 'ru', tag: 'ru-RU' });
    expect(chooseLanguage('system', ['fi', 'en-GB'])).toEqual({ language: 'en', tag: 'en-GB' });
    expect(chooseLanguage('system', ['fi'])).toEqual({ language: 'en', tag: 'en' });
  });
});
