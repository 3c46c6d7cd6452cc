/** Shows a folder's file tree with its search and filters, and the details of the focused entry below. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, ChevronsDownUp, ChevronsUpDown, FileText, Folder, FolderOpen, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ExcludedEntry } from '../../../common/folder/folder-preview.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { isPlainKey } from '../../keyboard/key-events.ts';
import { useLocale } from '../../locales/locale.tsx';
import { EXCLUSION_REASON_ICONS } from './exclusion-reason-icons.ts';
import {
  isOpenIn,
  type Node,
  narrow,
  type Opening,
  openingOf,
  type Query,
  type Row,
  rowsOf,
  type Shown,
} from './tree-model.ts';
import styles from './tree-pane.module.css';
import treeViewStyles from './tree-view.module.css';

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
    if (rows[index]?.node.name.normalize('NFC').toLowerCase().startsWith(letter)) return index;
  }
  return at;
};

/**
 * Virtualized tree rows; fifty thousand scroll like fifty. The tree itself has focus and marks one row: arrows, Home,
 * End and Page keys move the mark, a letter jumps to the next name.
 */
const TreeView = ({ label, rows, active, onActive, onOpen }: TreeViewProps) => {
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
    if (!row || !isPlainKey(event)) return;
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
      className={treeViewStyles.tree}
      aria-activedescendant={rows.length > 0 ? `${id}-${at}` : undefined}
      onKeyDown={press}
    >
      <div role="presentation" className={treeViewStyles.room} style={{ height: virtualizer.getTotalSize() }}>
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
  const Icon = out ? EXCLUSION_REASON_ICONS[out.reason] : kind === 'file' ? FileText : isOpen ? FolderOpen : Folder;
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
      className={cx(treeViewStyles.row, isActive && treeViewStyles.active, out && treeViewStyles.out)}
      style={{ height: ROW, transform: `translateY(${start}px)` }}
      onClick={onPress}
    >
      <span className={treeViewStyles.indent} style={{ width: `${Math.min(level - 1, INDENTED) * 1.125}rem` }} />
      <ChevronRight
        className={cx(
          treeViewStyles.chevron,
          isOpen && treeViewStyles.turned,
          isOpen === null && treeViewStyles.unseen,
        )}
        size={14}
        aria-hidden
      />
      <Icon
        className={cx(treeViewStyles.icon, out?.reason === 'secret' && treeViewStyles.safe)}
        size={16}
        aria-hidden
      />
      <span className={treeViewStyles.name}>{name}</span>
      {out && <VisuallyHidden>{words.tree.stays}</VisuallyHidden>}
      {reason && <span className={treeViewStyles.reason}>{reason}</span>}
      <span className={treeViewStyles.amount}>{amount}</span>
    </div>
  );
};

interface TreePaneProps {
  readonly name: string;
  readonly root: Node;
  /** What the tree shows; it may lag behind the input. */
  readonly query: Query;
  readonly shown: Shown;
  readonly text: string;
  readonly onShow: (shown: Shown) => void;
  readonly onText: (text: string) => void;
}

const FILTERS = ['all', 'goes', 'out'] as const;

/** The reason for exclusion as a sentence. */
const useWhy = (): ((out: ExcludedEntry) => string) => {
  const { t } = useLocale();
  const words = t.folder.out;
  return ({ reason, rule }) => (rule ? words.rule(rule.pattern, rule.file, rule.line) : words.reasons[reason].text);
};

export const TreePane = ({ name, root, query, shown, text, onShow, onText }: TreePaneProps) => {
  const { t, format } = useLocale();
  const words = t.folder.tree;
  const why = useWhy();
  const part = useMemo(() => narrow(root, query), [root, query]);
  const [opening, setOpening] = useState<Opening>(() => openingOf(root, query));
  useEffect(() => setOpening(openingOf(root, query)), [root, query]);
  const rows = useMemo(() => (part ? rowsOf(part, opening) : []), [part, opening]);
  const [active, setActive] = useState<string | null>(null);
  const current = rows.find(({ node }) => node.path === active)?.node ?? rows[0]?.node ?? null;

  const setOpen = (node: Node, isOpen: boolean): void => {
    if (isOpenIn(opening, node.path) === isOpen) return;
    const changed = new Set(opening.changed);
    if (!changed.delete(node.path)) changed.add(node.path);
    setOpening({ ...opening, changed });
  };
  const facts = (node: Node): readonly string[] => [
    ...(node.kind === 'folder' && node.files > 0 ? [words.inFolder(node.files)] : []),
    ...(node.files > 0 ? [format.bytes(node.size)] : []),
    ...(node.out ? [t.folder.out.reasons[node.out.reason].title, why(node.out)] : []),
  ];

  return (
    <section className={styles.pane} aria-label={words.label(name)}>
      <div className={styles.tools}>
        <RadioChoice
          look="segments"
          label={words.filter}
          value={FILTERS.find((known) => known === shown) ?? null}
          options={FILTERS.map((value) => ({ value, title: words.filters[value] }))}
          onChange={onShow}
        />
        <div className={styles.search}>
          <TextField
            label={words.search}
            type="search"
            name="find"
            autoComplete="off"
            value={text}
            onChange={onText}
            error={null}
            aside={
              <>
                <IconButton
                  icon={ChevronsUpDown}
                  label={words.open}
                  onPress={() => setOpening({ byDefault: 'open', changed: new Set() })}
                />
                <IconButton
                  icon={ChevronsDownUp}
                  label={words.close}
                  onPress={() => setOpening({ byDefault: 'closed', changed: new Set() })}
                />
              </>
            }
          />
        </div>
      </div>
      {rows.length > 0 ? (
        <TreeView label={words.label(name)} rows={rows} active={current} onActive={setActive} onOpen={setOpen} />
      ) : (
        <div className={styles.nothing}>
          <Search size={20} aria-hidden />
          <p>{words.nothing}</p>
          <Button
            onPress={() => {
              onShow('all');
              onText('');
            }}
          >
            {words.showAll}
          </Button>
        </div>
      )}
      {current && (
        <div className={styles.current}>
          <p className={styles.path}>{current.path}</p>
          <p className={styles.why}>{facts(current).join(' · ')}</p>
        </div>
      )}
    </section>
  );
};
