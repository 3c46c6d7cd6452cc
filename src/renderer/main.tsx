/** Starts the window. */

import './design/tokens.css';
import './design/base.css';
import { keepInAddress } from './app/address.ts';
import { App } from './app/app.tsx';
import { startPage } from './start-page.tsx';

const { view } = startPage(<App />);
keepInAddress(view, window);
