/** The file tree with its search and filters, and the details of the focused entry below. */

import { ChevronsDownUp, ChevronsUpDown, Search } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { StaysOut } from '../../../common/folder/preview.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { isOpenIn, type Node, narrow, type Opening, openingOf, type Query, rowsOf, type Shown } from './tree.ts';
import styles from './tree-pane.module.css';
import { TreeView } from './tree-view.tsx';

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
const useWhy = (): ((out: StaysOut) => string) => {
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
