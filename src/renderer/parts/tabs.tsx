/** Views of one thing of which one is seen at a time. Arrow keys change between them, Tab leads into the one that is seen. */

import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import { cx } from '../design/cx.ts';
import styles from './tabs.module.css';

interface TabView<Id extends string> {
  readonly id: Id;
  readonly title: string;
  readonly content: ReactNode;
}

interface TabsProps<Id extends string> {
  /** What the views are of, for screen readers. */
  readonly label: string;
  readonly views: readonly TabView<Id>[];
  readonly shown: Id;
  readonly onShow: (id: Id) => void;
  /** `kept`: what is not seen stays as it is, for what is typed or costly to draw; else it is made anew each time. */
  readonly hidden?: 'kept' | 'dropped';
}

export const Tabs = <Id extends string>({ label, views, shown, onShow, hidden = 'dropped' }: TabsProps<Id>) => (
  <AriaTabs
    className={cx(styles.tabs)}
    selectedKey={shown}
    onSelectionChange={(key) => {
      const view = views.find(({ id }) => id === key);
      if (view) onShow(view.id);
    }}
  >
    <TabList className={cx(styles.list)} aria-label={label}>
      {views.map(({ id, title }) => (
        <Tab key={id} id={id} className={cx(styles.tab)}>
          {title}
        </Tab>
      ))}
    </TabList>
    {views.map(({ id, content }) => (
      <TabPanel key={id} id={id} className={cx(styles.panel)} shouldForceMount={hidden === 'kept'}>
        {content}
      </TabPanel>
    ))}
  </AriaTabs>
);
