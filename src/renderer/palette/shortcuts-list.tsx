/**
 * Dialog that lists the shortcuts in groups, without those that do not work here, such as shortcuts that the browser
 * reserves.
 */

import { Fragment, useEffect, useRef } from 'react';
import { Button } from '../components/buttons/button.tsx';
import { Keys } from '../components/indicators/kbd.tsx';
import { TOOL_KEYS, TOOLS } from '../drawing/tools.ts';
import { workingKeysOf } from '../keyboard/accelerator.ts';
import { IS_MAC } from '../keyboard/key-events.ts';
import { type Chords, SHORTCUTS, windowShortcutsOf } from '../keyboard/shortcuts.ts';
import { useLocale } from '../locales/locale.tsx';
import { useApp } from '../stores/use-app-stores.tsx';
import { type DialogProps, PaletteDialogFrame } from './palette-dialog-frame.tsx';
import styles from './shortcuts-list.module.css';

interface Line {
  readonly words: string;
  readonly chords: Chords;
}

const linesOf = <Id extends string>(
  chords: Readonly<Record<Id, Chords>>,
  words: Readonly<Record<Id, string>>,
  hidden: readonly string[] = [],
): Line[] =>
  (Object.keys(chords) as Id[])
    .filter((id) => !hidden.includes(id))
    .map((id) => ({ words: words[id], chords: chords[id] }));

export const ShortcutsList = ({ close }: DialogProps) => {
  const { t } = useLocale();
  const words = t.palette.shortcuts;
  const list = useRef<HTMLElement>(null);
  // Focused, so that arrow keys scroll the list.
  useEffect(() => list.current?.focus(), []);
  const canCapture = useApp(({ capabilities, capture }) => capabilities.overlay !== 'none' || capture !== null);
  const hotkeys = useApp((app) => app.hotkeys.keys);
  const canPin = useApp(({ capabilities }) => capabilities.pins);
  const capabilities = useApp((app) => app.capabilities);

  const everywhere = hotkeys.flatMap((hotkey): Line[] => {
    const { action } = hotkey;
    const keys = workingKeysOf(hotkey, IS_MAC);
    if (keys === null) return [];
    return [{ words: action === 'record' ? t.capture.record : t.capture.modes[action], chords: [keys] }];
  });
  const tools = TOOLS.map((tool): Line => ({ words: t.editor.tools[tool], chords: [[TOOL_KEYS[tool]]] }));
  const hidden = canPin ? [] : (['pin'] as const);
  const ofCaptures = {
    overlay: linesOf(SHORTCUTS.overlay, words.overlay, hidden),
    editor: [...tools, ...linesOf(SHORTCUTS.editor, words.editor, hidden)],
    ...(canPin && { pin: linesOf(SHORTCUTS.pin, words.pin) }),
    review: linesOf(SHORTCUTS.review, words.review),
  };
  const groups = Object.entries({
    ...(everywhere.length > 0 && { everywhere }),
    window: linesOf(windowShortcutsOf(capabilities), words.window),
    library: linesOf(SHORTCUTS.library, words.library),
    note: linesOf(SHORTCUTS.note, words.note),
    ...(canCapture && ofCaptures),
  }) as [keyof typeof words.groups, readonly Line[]][];

  return (
    <PaletteDialogFrame label={words.title} close={close}>
      <div className={styles.head}>
        <h2>{words.title}</h2>
        <Button tone="quiet" onPress={close}>
          {words.close}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls */}
      <section ref={list} className={styles.groups} aria-label={words.title} tabIndex={0}>
        {groups.map(([group, lines]) => (
          <Group key={group} title={words.groups[group]} lines={lines} />
        ))}
      </section>
    </PaletteDialogFrame>
  );
};

const Group = ({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) => {
  const { t } = useLocale();
  return (
    <div className={styles.group}>
      <h3>{title}</h3>
      <dl className={styles.lines}>
        {lines.map((line) => (
          <div key={line.words} className={styles.line}>
            <dt>{line.words}</dt>
            <dd className={styles.chords}>
              {line.chords.map((keys, index) => (
                <Fragment key={keys.join('+')}>
                  {index > 0 && <span className={styles.or}>{t.palette.shortcuts.or}</span>}
                  <Keys keys={keys} />
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
};
