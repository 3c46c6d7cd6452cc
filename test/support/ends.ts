/**
 * What is done after every test, or after every file, for a module of the tests that keeps something. A process imports such
 * a module once and runs many files: a hook that the module itself registers would only run for the first file, and Vitest
 * silently ignores one that is registered while tests run.
 */
type End = () => Promise<void> | void;

const ofTests: End[] = [];
const ofFiles: End[] = [];
const removals: End[] = [];

export const afterEveryTest = (end: End): void => void ofTests.push(end);
export const afterEveryFile = (end: End): void => void ofFiles.push(end);
/** After all other ends of the file, which may close what is in the folder. */
export const removeAfterEveryFile = (removal: End): void => void removals.push(removal);

/** For `every-file.ts`. */
export const endTest = async (): Promise<void> => {
  for (const end of ofTests) await end();
};
export const endFile = async (): Promise<void> => {
  for (const end of [...ofFiles, ...removals]) await end();
};
