/**
 * Writes `index.html` beside the pictures of `matrix.ts`: a page that shows the variants of each scene side by side,
 * with filters.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Variant {
  readonly file: string;
  readonly scene: string;
  readonly width: string;
  readonly theme: string;
  readonly language: string;
}

/** `NAME-WIDTH-THEME-LANGUAGE.png`. */
const FILE = /^(?<scene>.+)-(?<width>\d+)-(?<theme>light|dark)-(?<language>en|ru)\.png$/;

const variantsIn = (folder: string): readonly Variant[] =>
  readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const parts = FILE.exec(file)?.groups;
      return parts ? [{ file, ...parts } as unknown as Variant] : [];
    });

const box = (name: string, value: string): string =>
  `<label><input type="checkbox" name="${name}" value="${value}" checked> ${value}</label>`;

const boxes = (variants: readonly Variant[], name: 'width' | 'theme' | 'language'): string =>
  `<fieldset><legend>${name}</legend>${[...new Set(variants.map((variant) => variant[name]))].map((value) => box(name, value)).join('')}</fieldset>`;

const figure = ({ file, width, theme, language }: Variant): string =>
  `<figure data-width="${width}" data-theme="${theme}" data-language="${language}"><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${width} px, ${theme}, ${language}</figcaption></figure>`;

const PAGE_STYLE = `
  body { font: 14px system-ui; margin: 0; color-scheme: light dark; }
  form { position: sticky; top: 0; z-index: 1; display: flex; gap: 12px; align-items: end; padding: 8px 16px; background: Canvas; border-bottom: 1px solid; }
  section { padding: 0 16px; }
  div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start; }
  figure { margin: 0; } img { width: 420px; border: 1px solid GrayText; }`;

const SCRIPT = `
  const form = document.querySelector('form');
  const apply = () => {
    const chosen = Object.groupBy([...new FormData(form)], ([name]) => name);
    const text = form.elements.scene.value.trim().toLowerCase();
    for (const section of document.querySelectorAll('section')) section.hidden = !section.id.includes(text);
    for (const figure of document.querySelectorAll('figure'))
      figure.hidden = ['width', 'theme', 'language'].some((name) => !chosen[name]?.some(([, value]) => value === figure.dataset[name]));
  };
  form.addEventListener('input', apply);`;

/** Returns the path of the page. */
export const writeGallery = (folder: string): string => {
  const variants = variantsIn(folder);
  const scenes = Object.entries(Object.groupBy(variants, ({ scene }) => scene));
  const filters = (['width', 'theme', 'language'] as const).map((name) => boxes(variants, name)).join('');
  const sections = scenes.map(
    ([scene, of = []]) =>
      `<section id="${scene.toLowerCase()}"><h2>${scene}</h2><div>${of.map(figure).join('')}</div></section>`,
  );
  const path = join(folder, 'index.html');
  writeFileSync(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Scenes of Linkshot</title><style>${PAGE_STYLE}</style>
<form><label>Scene <input name="scene" type="search"></label>${filters}</form>
${sections.join('\n')}
<script>${SCRIPT}</script></html>`,
  );
  return path;
};
