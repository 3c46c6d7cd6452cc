/** Starts the window: its transport, its stores, its first paint. */

import './design/tokens.css';
import './design/base.css';
import { createRoot } from 'react-dom/client';
import { createPageTransport } from '../bridge/client.ts';
import { keepInAddress } from './app/address.ts';
import { App } from './app/app.tsx';
import { Root } from './root.tsx';
import { createPageClipboard } from './stores/clipboard.ts';
import { createPage } from './stores/page.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');

const page = createPage({
  transport: createPageTransport(),
  clipboard: createPageClipboard(window),
  now: () => Date.now(),
});
keepInAddress(page.view, window);
createRoot(root).render(
  <Root page={page}>
    <App />
  </Root>,
);
