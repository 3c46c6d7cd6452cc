/** Russian texts of the controls for link settings. */
import type { enLinkOptions } from '../en/link-options.ts';

export const ruLinkOptions: typeof enLinkOptions = {
  visibility: 'Кто может открыть',
  expiry: 'Срок действия',
  customExpiry: 'Другой…',
  ttl: { forever: 'Бессрочно', day: '1 день', week: '1 неделя', month: '1 месяц' },
  endsAt: (date) => `Действует до ${date}.`,
  oneTime: 'Одноразовая ссылка',
  oneTimeHint: 'Содержимое увидит только тот, кто откроет ссылку первым, в течение 10 минут.',
};
