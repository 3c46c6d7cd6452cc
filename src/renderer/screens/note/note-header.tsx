/** Header of the note editor: back button, save state, link settings and actions. */
import { ArrowLeft, Check, ChevronDown, CloudOff, Eye, EyeOff, Send, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { DialogTrigger } from 'react-aria-components/Dialog';
import type { ItemId } from '../../../api/ids.ts';
import { isValidPassword } from '../../../api/password-rules.ts';
import buttons from '../../components/buttons/button.module.css';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { LinkOptions, type LinkOptionsValue } from '../../components/links/link-options.tsx';
import { resolvedShare } from '../../components/links/unpublished-link-settings.ts';
import { usePlannedLink } from '../../components/links/use-planned-link.ts';
import { useUploadDestination } from '../../components/links/use-upload-destination.ts';
import { Popover } from '../../components/overlays/popover.tsx';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useMainSection } from '../../stores/use-app-stores.tsx';
import linkSettingsStyles from './link-settings.module.css';
import { hindranceOf, type WorkState } from './note-editor-state.ts';
import type { NoteEditorStore } from './note-editor-store.ts';
import styles from './note-header.module.css';

interface LinkSettingsProps {
  readonly work: NoteEditorStore;
  readonly state: WorkState;
  readonly planned: LinkOptionsValue;
}

/** Link settings of a note: visibility, expiry, one-time and password. */
const LinkSettings = ({ work, state, planned }: LinkSettingsProps) => {
  const { share, password, isPasswordLost, sending } = state;
  const { t } = useLocale();
  const [isShown, setShown] = useState(false);
  const passwordError = (): string | null => {
    if (isPasswordLost) return t.note.passwordLost;
    return password === '' || isValidPassword(password) ? null : t.note.passwordShort;
  };
  return (
    <div className={linkSettingsStyles.settings}>
      <h2>{t.note.link}</h2>
      <LinkOptions
        value={planned}
        isDisabled={sending === 'final'}
        onChange={(change) => work.setShare(resolvedShare(share, change, planned))}
      />
      <TextField
        label={t.note.password}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        placeholder={t.note.passwordNone}
        value={password}
        isDisabled={sending === 'final'}
        onChange={work.setPassword}
        error={passwordError()}
        aside={
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? t.note.passwordHide : t.note.passwordShow}
            onPress={() => setShown(!isShown)}
          />
        }
      />
      <p className={linkSettingsStyles.hint}>{t.note.passwordHint}</p>
    </div>
  );
};

interface NoteHeadProps {
  readonly work: NoteEditorStore;
  readonly state: WorkState;
  readonly id: ItemId | null;
  readonly onSend: () => void;
}

export const NoteHeader = ({ work, state, id, onSend }: NoteHeadProps) => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const place = useMainSection();
  const { stage, isElsewhere, sending, kept } = state;
  const isWriting = stage === 'writing';
  const canSend = (isWriting || stage === 'comparing') && hindranceOf(state) === null;
  return (
    <header className={styles.head}>
      <Button icon={ArrowLeft} tone="quiet" onPress={view.back}>
        {t.app[place]}
      </Button>
      <h1 className={styles.title}>{id === null ? t.note.newTitle : t.note.editTitle}</h1>
      <SaveStatus state={state} />
      <div className={styles.actions}>
        {isWriting && kept.is !== 'nothing' && (
          <IconButton
            icon={id === null ? Trash2 : Undo2}
            label={id === null ? t.note.discard : t.note.discardChanges}
            isDisabled={sending !== 'no'}
            onPress={work.discard}
          />
        )}
        {isWriting && id === null && <LinkButton work={work} state={state} />}
        {isWriting && id !== null && (
          <Button tone="outline" onPress={() => view.open({ screen: 'item', id })}>
            {t.note.itemSettings}
          </Button>
        )}
        {stage !== 'lost' && !isElsewhere && (
          <Button
            tone="primary"
            icon={id === null ? Send : Check}
            isPending={sending !== 'no'}
            isDisabled={!canSend}
            onPress={onSend}
          >
            {id === null ? t.note.publish : t.note.save}
          </Button>
        )}
      </div>
    </header>
  );
};

/** Only an unsaved state is announced immediately. */
const SaveStatus = ({ state: { stage, kept, isSaved, isRestored } }: Pick<NoteHeadProps, 'state'>) => {
  const { t } = useLocale();
  if (kept.is === 'not')
    return (
      <p className={cx(styles.state, styles.unsafe)} role="alert">
        <CloudOff size={14} aria-hidden />
        {kept.failure === null ? t.note.kept.tooLong : t.note.kept.failed}
      </p>
    );
  const words = (): string => {
    if (stage !== 'writing' && stage !== 'comparing') return '';
    if (isRestored) return t.note.kept.restored;
    if (kept.is === 'saving') return t.note.kept.saving;
    if (kept.is === 'saved') return t.note.kept.saved;
    return isSaved ? t.note.kept.published : '';
  };
  return (
    <p className={styles.state} {...(isSaved || isRestored ? { role: 'status' } : {})}>
      {words()}
    </p>
  );
};

/** Shows who can see the note before it is published. */
const LinkButton = ({ work, state }: Pick<NoteHeadProps, 'work' | 'state'>) => {
  const { t } = useLocale();
  const place = useUploadDestination(null) ?? t.panels.toast.nowhere;
  const planned = usePlannedLink(state.share);
  const settingTexts = [
    planned.visibility && t.library.visibility[planned.visibility],
    planned.oneTime && t.editor.once,
    planned.ttl && planned.ttl !== 'forever' && t.editor.lasts[planned.ttl],
    (state.password !== '' || state.isPasswordLost) && t.note.withPassword,
  ].filter(Boolean);
  const seen = [place, ...settingTexts];
  return (
    <DialogTrigger>
      <AriaButton
        className={cx(buttons.button, buttons.outline, styles.link)}
        aria-label={`${t.note.link}: ${seen.join(', ')}`}
      >
        <span className={styles.seen} title={seen.join(' · ')}>
          <span className={styles.place}>{place}</span>
          <span className={styles.wishes}>{settingTexts.map((text) => ` · ${text}`).join('')}</span>
        </span>
        <ChevronDown size={14} aria-hidden />
      </AriaButton>
      <Popover label={t.note.link} placement="bottom end" size="wide">
        <LinkSettings work={work} state={state} planned={planned} />
      </Popover>
    </DialogTrigger>
  );
};
