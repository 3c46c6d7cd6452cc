/** Locates the home folder of the user, also where the system does not know one. */
import { homedir } from 'node:os';

/** What a user without a home folder has by convention: nothing may be written there, and the error names it. */
const WITHOUT_HOME = '/';

/** Without HOME, `homedir` throws for a user that the system does not list, as containers often have one. */
export const homeFolder = (read: () => string = homedir): string => {
  try {
    return read();
  } catch {
    return WITHOUT_HOME;
  }
};
