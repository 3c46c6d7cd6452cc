/** One setting: what it is, what it means, and at the right how it stands. The search of the settings leads to it by its name. */

import { createContext, type ReactNode, use } from 'react';
import { cx } from '../../design/cx.ts';
import styles from './row.module.css';
import type { SettingId } from './settings-index.ts';

/** Those that the search has found. */
export const FoundContext = createContext<ReadonlySet<SettingId>>(new Set());

/** The place of a setting, for controls that bring their own words. */
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
  /** How it stands, and what can be done about it. */
  readonly children?: ReactNode;
  /** What needs the whole width. */
  readonly below?: ReactNode;
}

export const Setting = ({ id, below, ...line }: SettingProps) => (
  <Row id={id}>
    <SettingLine {...line} />
    {below}
  </Row>
);

/** The words of a setting with its control beside them. */
export const SettingLine = ({ label, hint, children }: Pick<SettingProps, 'label' | 'hint' | 'children'>) => (
  <div className={styles.line}>
    <div className={styles.words}>
      <p className={styles.label}>{label}</p>
      <p className={styles.hint}>{hint}</p>
    </div>
    {children !== undefined && <div className={styles.control}>{children}</div>}
  </div>
);
