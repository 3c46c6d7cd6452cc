/**
 * The service drops the one top folder that all files of an archive sit in (API document, "Archive rules" 7). The app
 * therefore always gives it one to drop: otherwise a folder that holds nothing but another one would lose that.
 */
const TOP = 'folder/';

export const archivePath = (path: string): string => TOP + path;
