/** Files and folders dropped on a text editor: what is text is inserted, all else is left to the window. */

import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type DroppedItems, readTransfer } from '../../../file-input/data-transfer.ts';
import { isTextFile } from '../../../stores/file-input/pending-files.ts';

/** Called when folders, or files that are no text, are dropped. */
export type OnDropped = (dropped: DroppedItems) => void;

const isNamedText = ({ type, name }: File): boolean => type.startsWith('text/') || /\.(json|md|ya?ml)$/.test(name);

/** Null: no text. Browsers know no media type of most code, and of some pictures and videos. */
const textOf = async (file: File): Promise<string | null> => {
  const isText = isNamedText(file) || (file.type === '' && (await isTextFile(file)));
  return isText ? file.text().catch(() => null) : null;
};

const insertAt = (view: EditorView, at: { readonly x: number; readonly y: number }, text: string): void => {
  const insert = view.state.toText(text);
  const from = view.posAtCoords(at, false);
  view.focus();
  view.dispatch({
    ...{ changes: { from, insert }, selection: { anchor: from, head: from + insert.length } },
    ...{ scrollIntoView: true, userEvent: 'input.drop' },
  });
};

/** CodeMirror itself reads every file as text, and ignores those that are none without a word. */
export const fileDrop = (onDropped: OnDropped): Extension =>
  EditorView.domEventHandlers({
    drop({ dataTransfer, clientX: x, clientY: y }, view) {
      const dropped = dataTransfer && readTransfer(dataTransfer);
      if (!dropped || (dropped.folders.length === 0 && dropped.files.every(isNamedText))) return false;
      const take = async (): Promise<void> => {
        const texts = await Promise.all(dropped.files.map(textOf));
        if (dropped.folders.length > 0 || texts.includes(null)) onDropped(dropped);
        else if (view.dom.isConnected && !view.state.readOnly)
          insertAt(view, { x, y }, texts.join(view.state.lineBreak));
      };
      void take();
      return true;
    },
  });
