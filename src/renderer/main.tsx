/** Starts the window. */

import './design/tokens.ts';
import './design/base.css';
import { keepInAddress } from './app/address.ts';
import { App } from './app/app.tsx';
import { startPage } from './start-page.tsx';

const { view } = startPage(<App />);
keepInAddress(view, window);
