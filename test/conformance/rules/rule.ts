/** A rule of the service as one sentence, with the tests that prove it. */
export interface Rule {
  /** Stays while rules are only added to the end of their section. */
  readonly id: string;
  readonly section: string;
  readonly sentence: string;
  /** Not shown by the API document: decided by us. */
  readonly decided: boolean;
  /** `FILE: TEXT` names the tests of a file (the end of its path is enough) whose title holds the text. */
  readonly tests: readonly string[];
}

type Statement = Omit<Rule, 'id' | 'section'>;

/** The API document requires it. */
export const shown = (sentence: string, ...tests: readonly string[]): Statement => ({
  sentence,
  decided: false,
  tests,
});

/** The API document is silent; we decided. */
export const decided = (sentence: string, ...tests: readonly string[]): Statement => ({
  sentence,
  decided: true,
  tests,
});

export const section = (prefix: string, name: string, ...statements: readonly Statement[]): readonly Rule[] =>
  statements.map((statement, index) => ({ id: `${prefix}${index + 1}`, section: name, ...statement }));
