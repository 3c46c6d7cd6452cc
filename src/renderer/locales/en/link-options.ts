/** English texts of the controls for link settings. */
export const enLinkOptions = {
  visibility: 'Who can open it',
  expiry: 'Expiry',
  customExpiry: 'Custom…',
  ttl: { forever: 'Never', day: '1 day', week: '1 week', month: '1 month' },
  endsAt: (date: string) => `Expires on ${date}.`,
  oneTime: 'One-time link',
  oneTimeHint: 'Only the first person to open it can see it, for 10 minutes.',
};
