/**
 * Pictures of screens with planted secrets and decoys: mails, chats, tables, terminals, forms, code and codes, in both
 * themes, at 11 to 32 px and scales 1 to 3. The same in every run.
 */
import { encode } from 'uqr';
import type { SecretKind } from '../../../src/ipc/protocol/vision.ts';
import { seededRandom } from '../seeded-random.ts';
import { codeText, type Planted, plantDecoy, plantSecret, privateKey, type Random } from './planted-secrets.ts';

const LAYOUTS = ['mail', 'chat', 'table', 'terminal', 'form', 'code', 'config', 'badge'] as const;
type Layout = (typeof LAYOUTS)[number];

export interface SecretPicture {
  readonly name: string;
  readonly layout: Layout;
  /** CSS pixels. */
  readonly size: number;
  readonly scale: number;
  /**
   * A whole page; the element of a secret has its number in `data-secret`, and what may be hidden with one has
   * `data-beside`.
   */
  readonly html: string;
  readonly secrets: readonly { readonly kind: SecretKind; readonly value: string }[];
  readonly decoys: number;
}

const SECRETS_EACH = 6;
const DECOYS_EACH = 6;
const SIZES = [14, 16, 13, 18, 15, 12, 20, 14, 24, 11, 16, 32] as const;
const SCALES = [1, 1.5, 1, 2, 1, 1.25, 3] as const;
const SANS = ['DejaVu Sans', 'Nimbus Sans', 'DejaVu Serif', 'DejaVu Sans Condensed'];
const MONO = ['DejaVu Sans Mono', 'Nimbus Mono PS'];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface Line extends Planted {
  /** The value as markup, marked where it is a secret. */
  readonly shown: string;
}

const NEAR = 'white-space:nowrap';
const SENTENCES = [
  'Please check the following before noon.',
  'Спасибо, завтра посмотрю и отвечу.',
  'The report is attached, see the second page.',
  'Встреча переносится на вторник.',
];

const BODIES: Readonly<Record<Layout, (lines: readonly Line[]) => string>> = {
  mail: (lines) =>
    `<h2 style="font-size:1.3em">${SENTENCES[0]}</h2>${lines
      .map(
        ({ label, shown }, at) =>
          `<p style="line-height:1.5;margin:.5em 0">${at % 4 === 1 ? `${SENTENCES[at % 4]} ` : ''}${label}: <span style="${NEAR}">${shown}</span></p>`,
      )
      .join('')}<p>${SENTENCES[2]}</p>`,
  chat: (lines) =>
    lines
      .map(
        ({ label, shown }, at) =>
          `<div style="margin:.45em 0;text-align:${at % 2 ? 'right' : 'left'}"><span style="display:inline-block;border-radius:.8em;padding:.4em .9em;background:#7f8fa633;${NEAR}">${label}: ${shown}</span></div>`,
      )
      .join(''),
  table: (lines) =>
    `<table style="border-collapse:collapse">${lines
      .map(
        ({ label, shown }) =>
          `<tr>${[label, shown].map((cell) => `<td style="border:1px solid #8888;padding:.35em .8em;${NEAR}">${cell}</td>`).join('')}</tr>`,
      )
      .join('')}</table>`,
  terminal: (lines) =>
    `<div style="white-space:pre;line-height:1.3"><span style="color:#4f9a55">user@host</span> $ cat notes.txt\n${lines.map(({ label, shown }) => `${label}: ${shown}\n`).join('')}user@host $ </div>`,
  form: (lines) =>
    lines
      .map(
        ({ label, shown }) =>
          `<div style="margin:.5em 0 .15em">${label}</div><div style="border:1px solid #888;border-radius:.3em;padding:.35em .6em;min-width:16em;${NEAR}">${shown}</div>`,
      )
      .join(''),
  code: (lines) =>
    `<div style="white-space:pre;line-height:1.4">{\n${lines.map(({ label, shown }) => `  "<span style="color:#3b7dd8">${label}</span>": "<span style="color:#b5653a">${shown}</span>",\n`).join('')}}</div>`,
  config: (lines) =>
    `<div style="white-space:pre;line-height:1.4"># settings\n${lines.map(({ label, shown }) => `${label.toUpperCase().replaceAll(/[ -]/g, '_')}=${shown}\n`).join('')}</div>`,
  badge: (lines) =>
    lines
      .map(
        ({ label, shown }) =>
          `<div style="margin:.5em 0;${NEAR}">${label}: <span style="border-radius:.4em;padding:.3em .6em;background:#2563eb;color:#fff">${shown}</span></div>`,
      )
      .join(''),
};

/** `secret`: the number of it; its place is that of the dark squares. */
const qrSvg = (text: string, side: number, secret: number | null): string => {
  const { data, size } = encode(text, { border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return `<svg width="${side}" height="${side}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" style="display:block"><rect width="100%" height="100%" fill="#fff"/><path${secret === null ? '' : ` data-secret="${secret}"`} d="${squares.join('')}" fill="#000"/></svg>`;
};

/** A secret is counted by its own lines; more than one code in a picture would not be a screen. */
const makePicture = (index: number, seed: number, nextSecret: () => number, nextDecoy: () => number): SecretPicture => {
  const random: Random = seededRandom(seed + index);
  const layout = LAYOUTS[index % LAYOUTS.length] ?? 'mail';
  const size = SIZES[(index + Math.floor(index / LAYOUTS.length)) % SIZES.length] ?? 14;
  const asked = SCALES[index % SCALES.length] ?? 1;
  const scale = size * asked > 48 ? 1 : asked;
  const isDark = (index + Math.floor(index / LAYOUTS.length)) % 2 === 1;
  const [ink, paper] = isDark ? ['#d4d4d4', '#1e1e1e'] : ['#1f2328', '#ffffff'];
  const isMono = layout === 'terminal' || layout === 'code' || layout === 'config';
  const fonts = isMono ? MONO : SANS;
  const font = fonts[Math.floor(index / LAYOUTS.length) % fonts.length] ?? 'DejaVu Sans';

  const secrets: { kind: SecretKind; value: string }[] = [];
  const mark = (kind: SecretKind, value: string, markup: string): string => {
    secrets.push({ kind, value });
    return `<span data-secret="${secrets.length - 1}">${markup}</span>`;
  };
  const planted = [
    ...Array.from({ length: SECRETS_EACH }, () => plantSecret(random, nextSecret())),
    ...Array.from({ length: DECOYS_EACH }, () => plantDecoy(random, nextDecoy())),
  ]
    .map((line) => ({ line, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ line }) => line);
  const lines = planted.map(
    (line): Line => ({
      ...line,
      shown: line.kind ? mark(line.kind, line.value, escaped(line.value)) : escaped(line.value),
    }),
  );
  let body = BODIES[layout](lines);
  if (index % 4 === 2) {
    const code = codeText(random, Math.floor(index / 4));
    const isPlanted = code.kind !== null;
    if (code.kind) secrets.push({ kind: code.kind, value: code.value });
    body += `<div style="margin-top:1em">${qrSvg(code.value, 150, isPlanted ? secrets.length - 1 : null)}</div>`;
  }
  if (layout === 'terminal')
    body += `<div style="white-space:pre;line-height:1.3">${privateKey(random)
      .map((line) => (line.startsWith('-') ? `<span data-beside>${line}</span>` : mark('key', line, line)))
      .join('\n')}</div>`;
  const html = `<!doctype html><meta charset="utf-8"><style>
    body{margin:0;display:inline-block;padding:20px;min-width:480px;color:${ink};background:${paper};font:${size}px "${font}"}
    html{background:${paper}}</style><body>${body}</body>`;
  const name = `${index + 1} ${layout}: ${font} ${size} px, ${isDark ? 'dark' : 'light'}, scale ${scale}`;
  return { name, layout, size, scale, html, secrets, decoys: DECOYS_EACH };
};

/** `seed`: other secrets and decoys in the same layouts. */
export const makeSecretCorpus = (pictures: number, seed = 7_000): readonly SecretPicture[] => {
  let [secrets, decoys] = [0, 0];
  return Array.from({ length: pictures }, (_, index) =>
    makePicture(
      index,
      seed,
      () => secrets++,
      () => decoys++,
    ),
  );
};
