/** Imported first by every file that is started: an old Node gets a sentence instead of a stack trace. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18) || (major === 23 && minor < 6)) {
  console.error(
    `Linkshot needs Node 24 and this is Node ${process.versions.node}. Start it with npm (npm start, npm run linkshot): that brings the right one.`,
  );
  process.exit(1);
}

export {};
