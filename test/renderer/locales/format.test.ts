import { describe, expect, it } from 'vitest';
import { createFormat } from '../../../src/renderer/locales/format.ts';

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');
const en = createFormat('en');
const ru = createFormat('ru');

describe('sizes', () => {
  it.each([
    [0, '0 B', '0 Б'],
    [1023, '1,023 B', '1 023 Б'],
    [1024, '1 KB', '1 КБ'],
    [1536, '1.5 KB', '1,5 КБ'],
    [10 * 1024 ** 2, '10 MB', '10 МБ'],
    [60.25 * 1024 ** 2, '60.3 MB', '60,3 МБ'],
    [312.9 * 1024 ** 2, '312 MB', '312 МБ'],
    [1024 ** 3, '1 GB', '1 ГБ'],
    [4 * 1024 ** 4, '4 TB', '4 ТБ'],
  ])('%d bytes are counted in steps of 1024, as the service counts', (bytes, english, russian) => {
    expect(plain(en.bytes(bytes))).toBe(english);
    expect(plain(ru.bytes(bytes))).toBe(russian);
  });

  it('never round up to 1,024 of a unit', () => {
    for (let power = 1; power < 4; power += 1) {
      expect(plain(en.bytes(1024 ** (power + 1) - 1))).not.toMatch(/1,024|1024/);
    }
  });
});

describe('spans of time', () => {
  it.each([
    [0.2, '1 s', '1 с'],
    [12.4, '12 s', '12 с'],
    [59.6, '1 min', '1 мин'],
    [190, '3 min', '3 мин'],
    [3_599, '1 h', '1 ч'],
    [3_900, '1 h 5 min', '1 ч 5 мин'],
  ])('%d s are rounded for display', (seconds, english, russian) => {
    expect(plain(en.duration(seconds))).toBe(english);
    expect(plain(ru.duration(seconds))).toBe(russian);
  });
});

describe('percent', () => {
  it('shows 100 % only when everything is done', () => {
    expect(en.percent(0.999)).toBe('99%');
    expect(en.percent(1)).toBe('100%');
    expect(plain(ru.percent(0.5))).toBe('50 %');
  });
});

it('a factor has no upper limit', () => {
  expect(en.factor(1.5)).toBe('150%');
  expect(plain(ru.factor(8))).toBe('800 %');
});

it('dates follow the region that the browser names', () => {
  const noon = new Date(2026, 10, 20, 12);
  expect(plain(createFormat('en', 'en-GB').date(noon))).toBe('20 Nov 2026');
  expect(plain(createFormat('en', 'en-US').date(noon))).toBe('Nov 20, 2026');
});

it('a date only wraps before its year and its time', () => {
  const noon = new Date(2026, 10, 20, 12);
  expect(createFormat('en', 'en-GB').dateTime(noon).split(' ')).toEqual(['20\u00a0Nov\u00a02026,', '12:00']);
  expect(createFormat('ru', 'ru-RU').dateTime(noon).split(' ')).toEqual(['20\u00a0нояб.\u00a02026\u00a0г.,', '12:00']);
});
