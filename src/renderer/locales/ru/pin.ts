/** Russian texts of a pinned image, which stays on top of all windows. */
import type { enPin } from '../en/pin.ts';

export const ruPin: typeof enPin = {
  label: (name) => `Закреплённое изображение ${name}`,
  how: 'Стрелки сдвигают его на пиксель, с Ctrl на десять. Плюс и минус меняют масштаб, ноль возвращает фактический размер. Квадратные скобки меняют прозрачность. T пропускает клики насквозь. Escape закрывает.',
  actions: 'Что с ним сделать',
  copy: 'Скопировать изображение',
  share: 'Поделиться',
  letThrough: 'Пропускать клики насквозь; вернуть их можно в меню в области уведомлений',
  close: 'Закрыть',
  copied: 'Скопировано',
  shared: 'Добавлено в очередь',
  opacity: (percent) => `Непрозрачность ${percent}`,
  gone: 'Изображение не удалось показать',
};
