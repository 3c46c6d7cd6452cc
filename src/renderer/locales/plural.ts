/** Selects the plural form of a noun by the rules of a language, so that the texts only list the forms. */

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Returns a function for one language: `plural(3, { one: 'file', other: 'files' })`. */
export const createPlural = (language: string) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other;
};
