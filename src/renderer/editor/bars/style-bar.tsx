/**
 * The bar for the style of the selected mark, or of the next one: colour, width, text size, redaction mode. While
 * cropping it shows the size of the crop and its buttons instead.
 */

import { Check, Pipette } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import button from '../../components/buttons/button.module.css';
import { Button } from '../../components/buttons/button.tsx';
import { cx } from '../../design/class-names.ts';
import { findMark, frameOf } from '../../drawing/document.ts';
import { type EditorSession, shownDocument } from '../../drawing/editor-session.ts';
import type { MarkKind } from '../../drawing/mark.ts';
import {
  COLOUR_NAMES,
  COLOURS,
  hasWidth,
  isDrawing,
  LOOKS,
  lineWidth,
  purposeOf,
  stepRadius,
  TEXT_SIZES,
  textHeight,
  WIDTHS,
} from '../../drawing/tools.ts';
import { useLocale } from '../../locales/locale.tsx';
import styles from './style-bar.module.css';

/** The style shown: that of the selected mark, otherwise that of the next mark. */
const styleOf = ({ store }: EditorSession) => {
  const { tool, selected, history, style } = store.getState();
  const document = history.present;
  const mark = findMark(document, selected);
  const kind: MarkKind | null = mark?.kind ?? (isDrawing(tool) ? tool : null);
  if (kind === null) return null;
  const { picture } = document;
  const width = mark?.kind === 'step' ? mark.radius : mark && 'width' in mark ? mark.width : null;
  const widthOf = kind === 'step' ? stepRadius : lineWidth;
  const size = mark?.kind === 'text' ? mark.size : null;
  return {
    kind,
    colour: mark?.colour ?? style.colours[purposeOf(kind)],
    width: width === null ? style.width : (WIDTHS.find((known) => widthOf(known, picture) === width) ?? null),
    textSize:
      size === null ? style.textSize : (TEXT_SIZES.find((known) => textHeight(known, picture) === size) ?? null),
    look: mark?.kind === 'redaction' ? mark.look : style.look,
  };
};

export const StyleBar = ({ session }: { readonly session: EditorSession }) => {
  const { t } = useLocale();
  const isCropping = useStore(session.store, ({ tool }) => tool === 'crop');
  const look = useStore(
    session.store,
    useShallow(() => styleOf(session)),
  );
  return (
    <fieldset className={styles.bar} aria-label={t.editor.options}>
      {isCropping ? <CropBar session={session} /> : look && <StyleFields session={session} look={look} />}
    </fieldset>
  );
};

const CropBar = ({ session }: { readonly session: EditorSession }) => {
  const { t } = useLocale();
  const { width, height } = useStore(
    session.store,
    useShallow((state) => frameOf(shownDocument(state))),
  );
  const isCropped = useStore(session.store, ({ history }) => history.present.crop !== null);
  return (
    <>
      <span className={styles.fact}>{t.editor.cropHint(width, height)}</span>
      <Button tone="quiet" isDisabled={!isCropped} onPress={() => session.crop(null)}>
        {t.editor.cropWhole}
      </Button>
      <Button onPress={() => session.use('select')}>{t.editor.cropDone}</Button>
    </>
  );
};

interface StyleFieldsProps {
  readonly session: EditorSession;
  readonly look: NonNullable<ReturnType<typeof styleOf>>;
}

const StyleFields = ({ session, look }: StyleFieldsProps) => {
  const { t } = useLocale();
  const { kind } = look;
  const isColoured = kind !== 'redaction' || look.look === 'solid';
  return (
    <>
      {kind === 'redaction' && (
        <ChoiceGroup
          label={t.editor.look}
          value={look.look}
          options={LOOKS.map((value) => ({ value, title: t.editor.looks[value] }))}
          onChange={(value) => session.restyle({ look: value }, kind)}
        />
      )}
      {isColoured && <Colours value={look.colour} onChange={(colour) => session.restyle({ colour }, kind)} />}
      {hasWidth(kind) && (
        <ChoiceGroup
          label={t.editor.width}
          value={look.width}
          options={WIDTHS.map((value) => ({
            value,
            title: t.editor.widths[value],
            sign: <span className={cx(styles.stroke, styles[value])} />,
          }))}
          onChange={(width) => session.restyle({ width }, kind)}
        />
      )}
      {kind === 'text' && (
        <ChoiceGroup
          label={t.editor.textSize}
          value={look.textSize}
          options={TEXT_SIZES.map((value) => ({
            value,
            title: t.editor.textSizes[value],
            sign: <span className={cx(styles.letter, styles[value])}>A</span>,
          }))}
          onChange={(textSize) => session.restyle({ textSize }, kind)}
        />
      )}
      {kind === 'redaction' && <span className={styles.hint}>{t.editor.redactionHint}</span>}
    </>
  );
};

interface ChoiceGroupProps<Value extends string> {
  readonly label: string;
  readonly value: Value | null;
  readonly options: readonly { readonly value: Value; readonly title: string; readonly sign?: React.ReactNode }[];
  readonly onChange: (value: Value) => void;
}

/** A small radio group of icons or words. */
const ChoiceGroup = <Value extends string>({ label, value, options, onChange }: ChoiceGroupProps<Value>) => (
  <RadioGroup
    className={cx(styles.few)}
    orientation="horizontal"
    aria-label={label}
    value={value}
    onChange={(chosen) => {
      const option = options.find((known) => known.value === chosen);
      if (option) onChange(option.value);
    }}
  >
    {options.map(({ value: option, title, sign }) =>
      sign === undefined ? (
        <Radio key={option} value={option} className={cx(styles.option, styles.worded)}>
          {title}
        </Radio>
      ) : (
        <Radio key={option} value={option} aria-label={title} className={cx(styles.option)}>
          <span title={title}>{sign}</span>
        </Radio>
      ),
    )}
  </RadioGroup>
);

interface ColoursProps {
  readonly value: string;
  readonly onChange: (colour: string) => void;
}

const Colours = ({ value, onChange }: ColoursProps) => {
  const { t } = useLocale();
  const isOwn = COLOUR_NAMES.every((name) => COLOURS[name] !== value);
  const own = useRef<HTMLInputElement>(null);
  const sign = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    sign.current?.style.setProperty('background', isOwn ? value : 'transparent');
  }, [isOwn, value]);
  return (
    <>
      <RadioGroup
        className={cx(styles.colours)}
        orientation="horizontal"
        aria-label={t.editor.colour}
        value={isOwn ? null : value}
        onChange={onChange}
      >
        {COLOUR_NAMES.map((name) => (
          <Radio
            key={name}
            value={COLOURS[name]}
            aria-label={t.editor.colours[name]}
            className={cx(styles.colour, styles[name])}
          >
            {COLOURS[name] === value && <Check size={14} strokeWidth={3} aria-hidden />}
          </Radio>
        ))}
      </RadioGroup>
      <TooltipTrigger delay={500}>
        <AriaButton
          className={cx(styles.own, isOwn && styles.chosen)}
          aria-label={t.editor.ownColour}
          onPress={() => own.current?.click()}
        >
          <span ref={sign} className={styles.ownSign} />
          <Pipette size={14} aria-hidden />
        </AriaButton>
        <Tooltip className={cx(button.tooltip)} offset={6}>
          {t.editor.ownColour}
        </Tooltip>
      </TooltipTrigger>
      <input
        ref={own}
        type="color"
        className={styles.picker}
        tabIndex={-1}
        aria-hidden
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
};
