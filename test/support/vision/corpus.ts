/**
 * Pictures of screens with the words that they show: user interfaces, chats, code, terminals, tables, web pages, and text
 * on noise, in English and Russian, in the fonts that Debian's packages give. The same in every run.
 */
import { seededRandom } from '../seeded-random.ts';

const KINDS = ['page', 'chat', 'code', 'terminal', 'table', 'dialog', 'noise'] as const;
type Kind = (typeof KINDS)[number];
type Language = 'English' | 'Russian' | 'both';

export interface CorpusPicture {
  readonly name: string;
  readonly kind: Kind;
  readonly language: Language;
  readonly font: string;
  /** CSS pixels. */
  readonly size: number;
  readonly theme: 'light' | 'dark';
  /** Device pixels per CSS pixel. */
  readonly scale: number;
  /** A whole page; its text, in any order, is the truth. */
  readonly html: string;
}

const EACH = 20;
const SIZES = [11, 12, 13, 14, 15, 16, 18, 20, 24, 32] as const;
const SCALES = [1, 1, 1.5, 2, 1, 1.25, 3] as const;
const LANGUAGES = ['English', 'Russian', 'both'] as const;
const PROPORTIONAL = ['DejaVu Sans', 'Nimbus Sans', 'DejaVu Serif', 'Nimbus Roman', 'DejaVu Sans Condensed', 'P052'];
const MONOSPACED = ['DejaVu Sans Mono', 'Nimbus Mono PS'];

const WORDS = {
  English:
    'account address after archive available battery before browser button calendar cancel change chapter client cloud color comment company computer connection copy create customer database delete description desktop developer device document download editor email enable error every example export failed feature file filter folder function gallery general history image import install invoice keyboard language latest library license link loading location manager market meeting memory message module monitor network notice number office order package panel password people picture please preview print private process product profile project public quality question queue quick recent record refresh release remove repeat report request result review running sample saved screen search secret section security select server service settings share signal simple software source special status storage street student subject submit summary support switch system table target template terminal theme thread ticket timeline today toolbar total transfer update upload user value version video view window without writing yesterday'.split(
      ' ',
    ),
  Russian:
    'адрес архив аккаунт библиотека браузер будет буфер важно версия видео вопрос восстановить время вставить выбрать выполнить вчера главная готово данные действие добавить документ доступ загрузка заголовок закрыть заметка запись запрос защита значок изображение изменить имя история клавиша клиент кнопка книга количество команда компьютер копировать корзина курсор личный меню место монитор найти настройки неделя новости область обновить обмен объект окно описание открыть отмена отправить ошибка память панель папка пароль перейти письмо подключение поиск пользователь помощь последний почта правка пример принтер проверка проект просмотр процесс работа раздел размер редактор результат решение русский сегодня сервер сеть система скачать скопировать сообщение сохранить список справка ссылка статус страница строка счёт таблица текст удалить уровень установка устройство файл формат цвет частный человек экран элемент язык'.split(
      ' ',
    ),
} as const;

const LIGHT = [
  ['#1f2328', '#ffffff'],
  ['#333333', '#f5f5f5'],
  ['#202124', '#fdf6e3'],
] as const;
const DARK = [
  ['#d4d4d4', '#1e1e1e'],
  ['#e6edf3', '#0d1117'],
  ['#c0caf5', '#1a1b26'],
] as const;

interface Maker {
  pick<T>(from: readonly T[]): T;
  below(limit: number): number;
  /** So many words, with now and then a number. */
  words(count: number): string;
  /** A line that begins with a capital. */
  sentence(count: number): string;
  time(): string;
}

const createMaker = (random: () => number, language: Language): Maker => {
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  // A line has one language, as on a screen.
  const list = () => WORDS[language === 'both' ? pick(['English', 'Russian'] as const) : language];
  const words = (count: number): string => {
    const from = list();
    return Array.from({ length: count }, () => (random() < 0.08 ? String(below(9000) + 10) : pick(from))).join(' ');
  };
  const sentence = (count: number): string => {
    const text = words(count);
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  const time = (): string => `${String(10 + below(14))}:${String(10 + below(50))}`;
  return { pick, below, words, sentence, time };
};

const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

const BODIES: Readonly<Record<Kind, (maker: Maker, size: number) => string>> = {
  page: ({ sentence, words }) => `
    <div style="border:1px solid #8886;border-radius:1em;padding:.3em 1em;margin-bottom:1em">${words(3)}</div>
    <h2 style="font-size:1.6em;margin:.2em 0">${sentence(3)}</h2>
    ${repeat(3, () => `<p style="line-height:1.5;margin:.6em 0">${sentence(18)}.</p>`)}
    <p style="opacity:.75;font-size:1em">${sentence(4)}</p>`,
  chat: ({ sentence, words, time, pick }) =>
    repeat(
      6,
      () => `<div style="margin:.5em 0;text-align:${pick(['left', 'right'])}">
      <div style="font-weight:bold">${words(1)} ${time()}</div>
      <span style="display:inline-block;border-radius:.8em;padding:.45em .9em;max-width:75%;background:#7f8fa633">${sentence(7)}</span></div>`,
    ),
  code: ({ pick, below }) => {
    const english = WORDS.English;
    const line = (indent: number): string => {
      const [a, b, c] = [pick(english), pick(english), pick(english)];
      const text = pick([
        `<b style="color:#3b7dd8">const</b> ${a} = <span style="color:#b5653a">${b}</span>(${c}, ${below(900)});`,
        `<b style="color:#3b7dd8">return</b> ${a}.${b}(${c});`,
        `<b style="color:#3b7dd8">if</b> (${a} &gt; ${below(90)}) ${b} = ${c};`,
        `<i style="color:#5a8a4c">// ${a} ${b} ${c}</i>`,
        `<b style="color:#3b7dd8">import</b> { ${a} } <b style="color:#3b7dd8">from</b> <span style="color:#b5653a">'${b}/${c}'</span>;`,
      ]);
      return `<div style="padding-left:${indent * 2}ch;white-space:pre;line-height:1.5">${text}</div>`;
    };
    return repeat(14, (index) => line(index % 3));
  },
  terminal: ({ pick, below, words, time }) =>
    `<div style="white-space:pre;line-height:1.25">${repeat(
      14,
      () =>
        `${pick([
          `<span style="color:#4f9a55">user@host</span> $ git ${pick(['status', 'commit', 'push', 'rebase'])} ${pick(WORDS.English)}`,
          `${time()} ${pick(['INFO', 'WARN', 'ERROR'])} ${words(4)}`,
          `-rw-r--r-- 1 root root ${below(90000) + 1000} ${pick(WORDS.English)}.txt`,
          `${words(5)}`,
        ])}\n`,
    )}</div>`,
  table: ({ sentence, words, below }) =>
    `<table style="border-collapse:collapse">${repeat(
      8,
      (row) =>
        `<tr style="${row === 0 ? 'font-weight:bold' : ''}">${repeat(
          4,
          (column) =>
            `<td style="border:1px solid #8888;padding:.35em .8em">${
              column === 0 || row === 0 ? sentence(1) : column === 3 ? `${below(9000) + 100}` : words(2)
            }</td>`,
        )}</tr>`,
    )}</table>`,
  dialog: ({ sentence, words }) => `
    <div style="border:1px solid #8888;border-radius:.6em;padding:1.2em;box-shadow:0 4px 20px #0004">
      <h3 style="margin:0 0 .6em;font-size:1.25em">${sentence(3)}</h3>
      <p style="margin:.4em 0;line-height:1.45">${sentence(12)}.</p>
      ${repeat(3, () => `<p style="margin:.5em 0"><input type="checkbox" checked style="width:1em;height:1em"> ${sentence(4)}</p>`)}
      <p style="text-align:right;margin:1em 0 0">
        <span style="border:1px solid #888a;border-radius:.4em;padding:.45em 1em;margin-right:.8em">${sentence(1)}</span>
        <span style="border-radius:.4em;padding:.45em 1em;background:#2563eb;color:#fff">${words(2)}</span></p>
    </div>`,
  noise: ({ sentence }) => repeat(6, () => `<p style="margin:.7em 0;line-height:1.5">${sentence(8)}</p>`),
};

/** Grey speckles behind the text, as in a scanned page or a compressed photograph. */
const noiseOf = (random: () => number, theme: 'light' | 'dark'): string => {
  const dots = Array.from({ length: 1500 }, () => {
    const [x, y] = [Math.floor(random() * 760), Math.floor(random() * 500)];
    return `<rect x="${x}" y="${y}" width="1" height="1" fill="${theme === 'dark' ? '#fff' : '#000'}" opacity=".22"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="500">${dots.join('')}</svg>`;
  return `url(data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')})`;
};

const makePicture = (kind: Kind, index: number): CorpusPicture => {
  const at = KINDS.indexOf(kind) * EACH + index;
  const random = seededRandom(1_000 + at);
  const language = LANGUAGES[index % LANGUAGES.length] ?? 'English';
  const size = SIZES[(index + KINDS.indexOf(kind)) % SIZES.length] ?? 14;
  // Large text at three device pixels would be a poster.
  const asked = SCALES[at % SCALES.length] ?? 1;
  const scale = size * asked > 64 ? 1 : asked;
  const theme = (index + Math.floor(index / SIZES.length)) % 2 === 0 ? 'light' : 'dark';
  const fonts = kind === 'code' || kind === 'terminal' ? MONOSPACED : PROPORTIONAL;
  const font = fonts[Math.floor(index / 2) % fonts.length] ?? 'DejaVu Sans';
  const colours = theme === 'dark' ? DARK : LIGHT;
  const [ink, paper] = colours[index % colours.length] ?? colours[0];
  const background = kind === 'noise' ? `${paper} ${noiseOf(random, theme)}` : paper;
  const body = BODIES[kind](createMaker(random, language), size);
  const html = `<!doctype html><meta charset="utf-8"><style>
    body{margin:0;display:inline-block;padding:20px;max-width:${Math.max(640, size * 45)}px;color:${ink};background:${background};font:${size}px "${font}"}
    html{background:${paper}}</style><body>${body}</body>`;
  const name = `${kind} ${index + 1}: ${language}, ${font} ${size} px, ${theme}, scale ${scale}`;
  return { name, kind, language, font, size, theme, scale, html };
};

export const CORPUS: readonly CorpusPicture[] = KINDS.flatMap((kind) =>
  Array.from({ length: EACH }, (_, index) => makePicture(kind, index)),
);

/** Runs of letters and digits: punctuation does not count. */
export const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** How many of the words of `truth` were found, each as often as it is shown. */
export const foundWords = (truth: readonly string[], found: readonly string[]): number => {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  return truth.filter((word) => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count > 0;
  }).length;
};
