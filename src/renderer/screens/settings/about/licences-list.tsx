/** Searchable list of third-party licences. Large, therefore loaded lazily. */

import { useMemo, useState } from 'react';
import LICENCES from '../../../../../resources/licences.txt?raw';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { readLicences } from './licences.ts';
import styles from './licences-list.module.css';

export const LicencesList = () => {
  const words = useLocale().t.settingsMore.about;
  const programs = useMemo(() => readLicences(LICENCES), []);
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = programs.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(wanted));
  return (
    <>
      <TextField
        label={words.licencesSearch}
        name="licences"
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={setTyped}
        error={null}
      />
      <p className={styles.count} role="status">
        {found.length === 0 ? words.licencesNone : words.programs(found.length)}
      </p>
      <ul className={styles.list} aria-label={words.licences}>
        {found.map((program) => (
          <Licence key={`${program.name} ${program.licence}`} {...program} />
        ))}
      </ul>
    </>
  );
};

const Licence = ({ name, licence, text }: ReturnType<typeof readLicences>[number]) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={styles.program}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.line}>
          <span className={styles.name}>{name}</span>
          <span className={styles.licence}>{licence}</span>
        </summary>
        {isOpen && <pre className={styles.text}>{text}</pre>}
      </details>
    </li>
  );
};
