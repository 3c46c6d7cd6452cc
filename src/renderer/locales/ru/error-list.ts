/** Russian texts of the error list. */
import type { enErrorList } from '../en/error-list.ts';
import { createPlural } from '../plural.ts';

const plural = createPlural('ru');

export const ruErrorList: typeof enErrorList = {
  title: 'Сообщения',
  entry: (count) =>
    `Сообщения: ${count} ${plural(count, { one: 'проблема', few: 'проблемы', many: 'проблем', other: 'проблемы' })}`,
  hint: 'Проблемы остаются здесь, пока вы их не закроете.',
  dismissed: (title) => `Закрыть: ${title}`,
  dismissAll: 'Закрыть все',
  times: (count) => `${count} ${plural(count, { one: 'раз', few: 'раза', many: 'раз', other: 'раза' })}`,
};
