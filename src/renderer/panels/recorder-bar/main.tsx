/** Starts the page of the little window that belongs to a recording. */

import '../../design/tokens.ts';
import '../../design/base.css';
import { startPanel } from '../start-panel.tsx';
import { RecorderWindow } from './recorder-window.tsx';

startPanel('recorder', <RecorderWindow />);
