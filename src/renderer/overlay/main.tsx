/** Starts the window that covers one display (`overlay.html#<its number>`): loaded once, empty until a screen is frozen. */

import '../design/tokens.css';
import '../design/base.css';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { createPageTransport } from '../../bridge/client.ts';
import { Root } from '../root.tsx';
import { createPageClipboard } from '../stores/clipboard.ts';
import { createPage } from '../stores/page.ts';
import { usePage, useSnapshot } from '../stores/use-page.tsx';
import { Overlay } from './overlay.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');

const page = createPage({
  transport: createPageTransport(),
  clipboard: createPageClipboard(window),
  now: () => Date.now(),
});

const OverlayWindow = ({ display }: { readonly display: number }) => {
  const { engine } = usePage();
  const { ready } = useSnapshot();
  useEffect(() => {
    void engine.start();
  }, [engine]);
  return ready && <Overlay shows={display} />;
};

createRoot(root).render(
  <Root page={page}>
    <OverlayWindow display={Number(location.hash.slice(1)) || 1} />
  </Root>,
);
