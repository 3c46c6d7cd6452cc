/** Starts the page of a host panel window. */

import type { ReactNode } from 'react';
import { Started, startPage } from '../start-page.tsx';
import { createPanelFailed } from './panel-failed.tsx';
import type { Panel } from './panel-page.tsx';

export const startPanel = (panel: Panel, children: ReactNode): void => {
  startPage(<Started>{children}</Started>, createPanelFailed(panel));
};
