/**
 * The share page of a note: its text as Markdown, as code with numbered lines or plain, with buttons to copy and
 * download it.
 */
import { unreachable } from '../../../../api/errors.ts';
import { grammarOfNote, NOTE_LANGUAGES } from '../../../../common/rendering/code-languages.ts';
import type { ContentRow } from '../../../content/content-rows.ts';
import type { ServerDeps } from '../../../deps.ts';
import { createNoteObjects } from '../../../notes/note-objects.ts';
import type { Renderer, RenderTask } from '../../../rendering/renderer.ts';
import { formatSize } from '../../format.ts';
import { html, trusted } from '../../html.ts';
import { icon } from '../../icons.ts';
import { type Language, MESSAGES } from '../../messages.ts';
import { describeText } from '../link-preview.ts';
import { LINES_SCRIPT } from '../scripts.ts';
import { copyButton, copyLinkButton, frameSharePage, itemCard, type SharePage } from '../share-layout.ts';
import { TEXT_MESSAGES } from './messages.ts';
import { TEXT_FRAME } from './styles.ts';
import { type TextQuery, viewLink, wrapSwitch } from './text-view-options.ts';

/** The presentation of a note; every note has a format, but rows are validated. */
const taskOf = (
  { pasteFormat, pasteLanguage, title }: ContentRow,
  text: string,
  view: TextQuery['view'],
): RenderTask => {
  switch (pasteFormat) {
    case 'markdown':
      return view === 'source'
        ? { kind: 'code', text, grammar: 'markdown' }
        : { kind: 'markdown', text, title, place: { kind: 'note' } };
    case 'code':
      return { kind: 'code', text, grammar: grammarOfNote(pasteLanguage ?? 'text') };
    case 'plain':
    case null:
      return { kind: 'plain', text };
    default:
      return unreachable(pasteFormat);
  }
};

const formatOf = ({ pasteFormat, pasteLanguage }: ContentRow, language: Language): string => {
  const text = TEXT_MESSAGES[language];
  switch (pasteFormat) {
    case 'markdown':
      return text.markdown;
    case 'code':
      return pasteLanguage === null || pasteLanguage === 'text' ? text.code : NOTE_LANGUAGES[pasteLanguage].label;
    case 'plain':
    case null:
      return text.plain;
    default:
      return unreachable(pasteFormat);
  }
};

const LINE_END = /\r\n|\r|\n/g;

const countLines = (text: string): number => {
  const ends = text.match(LINE_END)?.length ?? 0;
  return /[\r\n]$/.test(text) ? ends : ends + 1;
};

/** Null: the note was deleted. Rejects when its text cannot be read, also because it was edited or deleted meanwhile. */
export const createNotePage = (deps: ServerDeps, renderer: Renderer) => {
  const noteObjects = createNoteObjects(deps);

  return async (row: ContentRow, page: SharePage, { view }: TextQuery, signal: AbortSignal): Promise<string | null> => {
    const { objectId, size } = row;
    if (objectId === null) return null;
    const text = (await noteObjects.read({ objectId, size }, signal)).toString('utf8');
    const task = taskOf(row, text, view);
    // The text of an object is immutable; its HTML also depends on the presentation.
    const key = JSON.stringify([objectId, task.kind, row.pasteFormat, row.pasteLanguage, row.title]);
    const markup = trusted(await renderer.render({ accountId: row.accountId, key }, task));
    const { language } = page;
    const words = TEXT_MESSAGES[language];
    const raw = `/api/media/${row.id}`;
    const mayDownload = page.as === 'owner' || row.allowDownload === 1;
    const facts = [formatOf(row, language), words.lines(countLines(text)), formatSize(size, language)];
    return frameSharePage(row, page, {
      ...TEXT_FRAME,
      description: describeText(text, row.title, row.pasteFormat === 'markdown' ? 'markdown' : 'other'),
      width: task.kind === 'code' ? 'wide' : 'prose',
      ...(task.kind === 'code' && { script: LINES_SCRIPT }),
      content: [
        itemCard(row, page, { facts: [row.revision > 1 ? words.edited : null], actions: copyLinkButton(row, page) }),
        html`<section class="card text ${task.kind}">
<header class="bar"><p>${facts.join(' · ')}</p><div class="actions">
${row.pasteFormat === 'markdown' && viewLink(task.kind === 'markdown' ? 'source' : 'rendered', '?', language)}
${task.kind === 'code' && wrapSwitch(language)}
${copyButton({ from: raw }, words.copyText, icon('copy'), language)}
<a class="button" href="${raw}">${icon('text')}${words.raw}</a>
${mayDownload && html`<a class="button" href="${raw}?download=1" download>${icon('download')}${MESSAGES[language].download}</a>\n`}</div></header>
${markup}
</section>`,
      ],
    });
  };
};
