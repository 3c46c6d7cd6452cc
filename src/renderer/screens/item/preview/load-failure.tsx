/** Error of a preview that failed to load, with a retry button; explains that the link is not affected. */

import type { Failure } from '../../../../api/errors.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import frame from './preview.module.css';

interface LoadFailureProps {
  readonly failure: Failure;
  readonly onRetry: () => void;
}

export const LoadFailure = ({ failure, onRetry }: LoadFailureProps) => {
  const { t } = useLocale();
  const words = t.item.preview;
  return (
    <div className={frame.advice} role="alert">
      <Alert tone="warn" title={words.failed} sentences={[words.failedText]} failure={failure}>
        <Button onPress={onRetry}>{words.retry}</Button>
      </Alert>
    </div>
  );
};
