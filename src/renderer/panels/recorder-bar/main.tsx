/** Entry point of the recorder bar's window. */

import '../../design/tokens.ts';
import '../../design/base.css';
import { startPanel } from '../start-panel.tsx';
import { RecorderWindow } from './recorder-window.tsx';

startPanel('recorder', <RecorderWindow />);
