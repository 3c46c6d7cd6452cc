/**
 * Entry point of the window with the capture toasts. Also shows errors, the progress and result of reading the text of
 * captures, and the QR codes and barcodes found in them.
 */

import { useEffect } from 'react';
import { useStore } from 'zustand';
import { BarcodesCard } from '../../picture-text/barcodes-card.tsx';
import type { Note } from '../../stores/messages/toasts.ts';
import { useAppStores, useToasts } from '../../stores/use-app-stores.tsx';
import styles from '../message-toasts.module.css';
import { Message } from '../message-toasts.tsx';
import { ToastStack, useCaptureToasts } from './toast-stack.tsx';
import '../../design/install-tokens.ts';
import '../../design/base.css';
import { mountPanel, PanelBody } from '../mount-panel.tsx';

/** Of captures, and the errors of their actions. */
const SHOWN: ReadonlySet<Note['kind']> = new Set(['failure', 'textReading', 'textRead']);

/** The capture toasts in their own window, with the messages about the text of captures. */
const ToastWindow = () => {
  const { engine, pictureText } = useAppStores();
  const messages = useToasts().filter(({ note }) => SHOWN.has(note.kind));
  const { items, kept } = useCaptureToasts();
  const codes = useStore(pictureText.store, (state) => state.codes);
  const isEmpty = items.length + kept.length + messages.length === 0 && codes === null;
  useEffect(() => pictureText.follow(), [pictureText]);
  return (
    <PanelBody panel="toast" isEmpty={isEmpty}>
      {codes !== null && <BarcodesCard codes={codes} onClose={() => pictureText.showCodes(null)} />}
      <div aria-live="polite" className={styles.stack}>
        {messages.map((toast) => (
          <Message key={toast.id} toast={toast} />
        ))}
      </div>
      <ToastStack
        openApp={(where) => void engine.run('app.show', { screen: where === 'connect' ? 'settings' : 'home' })}
      />
    </PanelBody>
  );
};

mountPanel('toast', <ToastWindow />);
