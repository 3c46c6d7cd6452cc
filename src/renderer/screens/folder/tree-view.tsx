/**
 * Virtualized tree rows; fifty thousand scroll like fifty. The tree itself has focus and marks one row: arrows, Home,
 * End and Page keys move the mark, a letter jumps to the next name.
 */

import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, FileText, Folder, FolderOpen } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { REASON_ICONS } from './reason-icons.ts';
import type { Node, Row } from './tree.ts';
import styles from './tree-view.module.css';

/** Row height in pixels, and the number of rows rendered beyond the view. */
const ROW = 32;
const OVERSCAN = 12;
/** Deeper levels are not indented further, to keep names visible in narrow windows. */
const INDENTED = 10;

interface TreeViewProps {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly active: Node | null;
  readonly onActive: (path: string) => void;
  readonly onOpen: (node: Node, isOpen: boolean) => void;
}

const parentAt = (rows: readonly Row[], at: number): number => {
  const level = rows[at]?.level ?? 1;
  for (let index = at - 1; index >= 0; index -= 1) if ((rows[index]?.level ?? 0) < level) return index;
  return at;
};

/** The next row whose name begins with the letter, after `at`, wrapping around. */
const lettered = (rows: readonly Row[], at: number, letter: string): number => {
  for (let step = 1; step <= rows.length; step += 1) {
    const index = (at + step) % rows.length;
    if (rows[index]?.node.name.toLowerCase().startsWith(letter)) return index;
  }
  return at;
};

export const TreeView = ({ label, rows, active, onActive, onOpen }: TreeViewProps) => {
  const id = useId();
  const tree = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.path === active?.path),
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => tree.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    // The marked row must be mounted, because `aria-activedescendant` refers to it.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const seen = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
      return at < from ? [at, ...seen] : at > to && at < count ? [...seen, at] : seen;
    },
  });
  const moveTo = (index: number): void => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    onActive(row.node.path);
    virtualizer.scrollToIndex(rows.indexOf(row));
  };
  useEffect(() => {
    if (tree.current) tree.current.scrollTop = Math.min(tree.current.scrollTop, rows.length * ROW);
  }, [rows]);

  const press = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((tree.current?.clientHeight ?? ROW) / ROW) - 1);
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      PageDown: () => moveTo(at + page),
      PageUp: () => moveTo(at - page),
      ArrowRight: () => (row.isOpen === false ? onOpen(row.node, true) : row.isOpen && moveTo(at + 1)),
      ArrowLeft: () => (row.isOpen ? onOpen(row.node, false) : moveTo(parentAt(rows, at))),
      Enter: () => row.isOpen !== null && onOpen(row.node, !row.isOpen),
      ' ': () => row.isOpen !== null && onOpen(row.node, !row.isOpen),
    };
    const move =
      moves[event.key] ?? (event.key.length === 1 ? () => moveTo(lettered(rows, at, event.key.toLowerCase())) : null);
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <div
      ref={tree}
      role="tree"
      aria-label={label}
      tabIndex={0}
      className={styles.tree}
      aria-activedescendant={rows.length > 0 ? `${id}-${at}` : undefined}
      onKeyDown={press}
    >
      <div role="presentation" className={styles.room} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return row ? (
            <TreeRow
              key={row.node.path + (row.node.out?.reason ?? '')}
              id={`${id}-${index}`}
              row={row}
              start={start}
              isActive={index === at}
              onPress={() => {
                onActive(row.node.path);
                if (row.isOpen !== null) onOpen(row.node, !row.isOpen);
              }}
            />
          ) : null;
        })}
      </div>
    </div>
  );
};

interface TreeRowProps {
  readonly id: string;
  readonly row: Row;
  readonly start: number;
  readonly isActive: boolean;
  readonly onPress: () => void;
}

const TreeRow = ({ id, row, start, isActive, onPress }: TreeRowProps) => {
  const { t, format } = useLocale();
  const { node, level, position, siblings, isOpen } = row;
  const { name, kind, out, files, size } = node;
  const words = t.folder;
  const reason = out && words.out.reasons[out.reason].title;
  const Icon = out ? REASON_ICONS[out.reason] : kind === 'file' ? FileText : isOpen ? FolderOpen : Folder;
  const amount = files > 0 ? format.bytes(size) : (out?.size ?? null) !== null ? format.bytes(out?.size ?? 0) : '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isActive}
      className={cx(styles.row, isActive && styles.active, out && styles.out)}
      style={{ height: ROW, transform: `translateY(${start}px)` }}
      onClick={onPress}
    >
      <span className={styles.indent} style={{ width: `${Math.min(level - 1, INDENTED) * 1.125}rem` }} />
      <ChevronRight
        className={cx(styles.chevron, isOpen && styles.turned, isOpen === null && styles.unseen)}
        size={14}
        aria-hidden
      />
      <Icon className={cx(styles.icon, out?.reason === 'secret' && styles.safe)} size={16} aria-hidden />
      <span className={styles.name}>{name}</span>
      {out && <VisuallyHidden>{words.tree.stays}</VisuallyHidden>}
      {reason && <span className={styles.reason}>{reason}</span>}
      <span className={styles.amount}>{amount}</span>
    </div>
  );
};
