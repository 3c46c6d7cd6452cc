/** Picks the grammatical form of a counted noun, so that catalogues state forms and never rules. */

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Answers a picker for one language: `plural(3, { one: 'file', other: 'files' })`. */
export const createPlural = (language: string) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other;
};
