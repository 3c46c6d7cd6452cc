/** Refuses an old Node with a readable message; every entry file imports it first. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18) || (major === 23 && minor < 6)) {
  console.error(
    `Linkshot needs Node 24 and this is Node ${process.versions.node}. Start it with npm (npm start, npm run linkshot): that brings the right one.`,
  );
  process.exit(1);
}

export {};
