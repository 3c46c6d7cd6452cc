/**
 * An invisible layer of the recognised words over a picture. The user selects and copies them like the text of a page;
 * screen readers read them line by line.
 */
import { type MouseEvent, type RefObject, useEffect, useMemo } from 'react';
import type { PictureContent } from '../../ipc/protocol/vision.ts';
import styles from './selectable-text.module.css';
import { linesOf, nearestPlace, type TextLine, type TextPlace } from './text-lines.ts';

interface Props {
  readonly ref: RefObject<HTMLElement | null>;
  readonly content: Pick<PictureContent, 'text' | 'words'>;
  /** Of the picture, in its own pixels. */
  readonly width: number;
  readonly height: number;
  readonly label: string;
}

const FONT = '100px sans-serif';
let canvas: CanvasRenderingContext2D | null | undefined;

/** Width of a text whose letters are one pixel high. */
const widthOf = (text: string): number => {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return text.length / 2;
  canvas.font = FONT;
  return Math.max(canvas.measureText(text).width / 100, 0.01);
};

export const selectAllText = (layer: HTMLElement): void => document.getSelection()?.selectAllChildren(layer);

/** With line breaks, and without the transparent colour that browsers copy too. */
const textOf = (range: Range): string => {
  const part = range.cloneContents();
  const lines = [...part.querySelectorAll('p')];
  return lines.length === 0 ? (part.textContent ?? '') : lines.map((line) => line.textContent ?? '').join('\n');
};

const nodeAt = (layer: HTMLElement, { line, word }: TextPlace): Node | null =>
  layer.children[line]?.children[word]?.firstChild ?? null;

/** Selects from where the button is pressed to where it is released, also between and beside the words. */
const useSelecting = (layer: RefObject<HTMLElement | null>, lines: readonly TextLine[], size: readonly number[]) => {
  const [width = 1, height = 1] = size;
  const move = (
    { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
    isBegin: boolean,
  ): void => {
    const { current } = layer;
    const selection = document.getSelection();
    if (!current || !selection) return;
    const box = current.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * width;
    const place = nearestPlace(lines, x, ((clientY - box.top) / box.height) * height);
    const node = place && nodeAt(current, place);
    if (!node) return;
    if (isBegin) selection.collapse(node, place.letter);
    else if (selection.anchorNode) selection.extend(node, place.letter);
  };
  return (event: MouseEvent): void => {
    const { current } = layer;
    const selection = document.getSelection();
    if (event.button !== 0 || !current || !selection) return;
    // Browsers select to the end of the layer where the pointer is beside a word.
    event.preventDefault();
    current.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    move(event, !event.shiftKey || selection.rangeCount === 0);
    if (event.detail > 1) {
      const whole =
        event.detail === 2 ? selection.anchorNode?.parentElement : selection.anchorNode?.parentElement?.parentElement;
      if (whole) selection.selectAllChildren(whole);
      return;
    }
    const done = new AbortController();
    const { signal } = done;
    document.addEventListener('mousemove', (to) => (to.buttons === 0 ? done.abort() : move(to, false)), { signal });
    document.addEventListener('mouseup', () => done.abort(), { signal });
  };
};

export const SelectableText = ({ ref, content, width, height, label }: Props) => {
  const lines = useMemo(() => linesOf(content), [content]);
  const press = useSelecting(ref, lines, [width, height]);

  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      const selection = document.getSelection();
      const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
      if (!range || range.collapsed || !ref.current?.contains(range.commonAncestorContainer)) return;
      event.clipboardData?.setData('text/plain', textOf(range));
      event.preventDefault();
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, [ref]);

  return (
    <section ref={ref} className={styles.layer} aria-label={label} onMouseDown={press} data-over-picture>
      {lines.map((line) => (
        <p key={`${line.y}:${line.words[0]?.x}`} className={styles.line}>
          {line.words.map((word, index) => (
            <span
              key={`${word.y}:${word.x}`}
              className={styles.word}
              style={{
                left: `${(word.x / width) * 100}%`,
                top: `${(line.y / height) * 100}%`,
                fontSize: `${(line.height / width) * 100}cqw`,
                transform: `scaleX(${word.width / (line.height * widthOf(word.text))})`,
              }}
            >
              {index === line.words.length - 1 ? word.text : `${word.text} `}
            </span>
          ))}
        </p>
      ))}
    </section>
  );
};
