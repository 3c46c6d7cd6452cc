/** Theme, language and palette; changes take effect immediately. */

import { LANGUAGES } from '../../../../common/languages.ts';
import { RadioChoice } from '../../../components/fields/radio-choice.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { Row } from '../row.tsx';
import { PaletteChoice } from './palette-choice.tsx';

const THEMES = ['system', 'light', 'dark'] as const;
const LANGUAGE_CHOICES = ['system', ...LANGUAGES] as const;

export const AppearanceCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const theme = useApp(({ settings }) => settings.theme);
  const language = useApp(({ settings }) => settings.language);
  return (
    <Card title={t.settings.appearance}>
      <Row id="theme">
        <RadioChoice
          look="segments"
          label={t.settings.theme}
          value={theme}
          options={THEMES.map((value) => ({ value, title: t.settings.themes[value] }))}
          onChange={(value) => void engine.updateSettings({ theme: value })}
        />
      </Row>
      <Row id="language">
        <RadioChoice
          look="segments"
          label={t.settings.language}
          value={language}
          options={LANGUAGE_CHOICES.map((value) => ({ value, title: t.settings.languages[value] }))}
          onChange={(value) => void engine.updateSettings({ language: value })}
        />
      </Row>
      <Row id="palette">
        <PaletteChoice />
      </Row>
    </Card>
  );
};
