/** Hook for the link settings that a new item gets, with what the user has changed. */
import { useShallow } from 'zustand/react/shallow';
import { useApp } from '../../stores/use-app-stores.tsx';
import type { LinkOptionsValue } from './link-options.tsx';
import { type LinkChoice, plannedLink } from './unpublished-link-settings.ts';

export const usePlannedLink = (share: LinkChoice): LinkOptionsValue =>
  plannedLink(useApp(useShallow(({ settings, effective }) => ({ settings, effective }))), share);
