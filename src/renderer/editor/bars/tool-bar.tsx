/** The buttons of the editor's tools, with their shortcut letters. */

import {
  ArrowUpRight,
  Circle,
  Crop,
  EyeOff,
  Highlighter,
  ListOrdered,
  type LucideIcon,
  Minus,
  MousePointer2,
  Pencil,
  Square,
  Type,
} from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { useStore } from 'zustand';
import button from '../../components/buttons/button.module.css';
import { cx } from '../../design/class-names.ts';
import type { EditorSession } from '../../drawing/editor-session.ts';
import { TOOL_KEYS, TOOLS, type Tool } from '../../drawing/tools.ts';
import { useLocale } from '../../locales/locale.tsx';
import styles from './tool-bar.module.css';

const ICONS: Readonly<Record<Tool, LucideIcon>> = {
  select: MousePointer2,
  arrow: ArrowUpRight,
  rectangle: Square,
  ellipse: Circle,
  line: Minus,
  pen: Pencil,
  text: Type,
  step: ListOrdered,
  highlight: Highlighter,
  redaction: EyeOff,
  crop: Crop,
};

export const ToolBar = ({ session }: { readonly session: EditorSession }) => {
  const { t } = useLocale();
  const current = useStore(session.store, ({ tool }) => tool);
  return (
    <ToggleButtonGroup
      aria-label={t.editor.toolbar}
      className={cx(styles.tools)}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[current]}
      onSelectionChange={(keys) => {
        const chosen = TOOLS.find((tool) => keys.has(tool));
        if (chosen) session.use(chosen);
      }}
    >
      {TOOLS.map((tool) => {
        const Icon = ICONS[tool];
        const label = t.editor.toolKey(t.editor.tools[tool], TOOL_KEYS[tool]);
        return (
          <TooltipTrigger key={tool} delay={500}>
            <ToggleButton id={tool} aria-label={label} className={cx(styles.tool)}>
              <Icon size={18} strokeWidth={1.9} aria-hidden />
            </ToggleButton>
            <Tooltip className={cx(button.tooltip)} offset={6}>
              {label}
            </Tooltip>
          </TooltipTrigger>
        );
      })}
    </ToggleButtonGroup>
  );
};
