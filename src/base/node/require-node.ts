/**
 * Ends the process with a readable message if its Node is older than the code needs. The entry files of the command
 * lines and of `npm start`, `npm run dev` and `npm run cluster` import it first.
 */

/** As `engines.node` of package.json. */
const NEEDED_MAJOR = 24;

export const isNewEnough = (version: string): boolean => Number(version.split('.')[0]) >= NEEDED_MAJOR;

if (!isNewEnough(process.versions.node)) {
  console.error(
    `Linkshot needs Node ${NEEDED_MAJOR} or newer and this is Node ${process.versions.node}. On Linux and Windows, npm start and npm run linkshot bring it.`,
  );
  process.exit(1);
}
