/**
 * A settings row: label and description with the control on the right. A row is highlighted if the settings search has
 * found its setting; the React context `FoundContext` provides the settings found.
 */

import { createContext, type ReactNode, use } from 'react';
import { cx } from '../../design/class-names.ts';
import styles from './setting-row.module.css';
import type { SettingId } from './settings-search-index.ts';

/** Settings matched by the search. */
export const FoundContext = createContext<ReadonlySet<SettingId>>(new Set());

/** Container of a setting whose control has its own labels. */
export const Row = ({ id, children }: { readonly id: SettingId; readonly children: ReactNode }) => {
  const isFound = use(FoundContext).has(id);
  return (
    <div data-setting={id} className={cx(styles.row, isFound && styles.found)}>
      {children}
    </div>
  );
};

interface SettingProps {
  readonly id: SettingId;
  readonly label: string;
  readonly hint: string;
  /** The control. */
  readonly children?: ReactNode;
  /** Content that needs the full width. */
  readonly below?: ReactNode;
}

export const Setting = ({ id, below, ...line }: SettingProps) => (
  <Row id={id}>
    <SettingLine {...line} />
    {below}
  </Row>
);

/** Label and description of a setting with the control next to them. */
export const SettingLine = ({ label, hint, children }: Pick<SettingProps, 'label' | 'hint' | 'children'>) => (
  <div className={styles.line}>
    <div className={styles.words}>
      <p className={styles.label}>{label}</p>
      <p className={styles.hint}>{hint}</p>
    </div>
    {children !== undefined && <div className={styles.control}>{children}</div>}
  </div>
);
