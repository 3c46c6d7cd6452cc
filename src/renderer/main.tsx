/** Entry point of the app window. */

import './design/tokens.ts';
import './design/base.css';
import { App } from './app/app.tsx';
import { syncWithAddress } from './app/hash-route.ts';
import { WindowError } from './error-boundary/error-screen.tsx';
import { startPage } from './start-page.tsx';

const { view } = startPage(<App />, WindowError);
syncWithAddress(view, window);
