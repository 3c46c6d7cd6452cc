/**
 * The file name endings of unfinished files, in the spool (the app's own folder for files) and in the folders of
 * recordings, and of folder bundles in the spool.
 */

/** File extension of an incomplete file; whatever writes it renames it when it is complete. */
export const UNFINISHED = '.part';
/** File extension of folder bundles in the spool, by which a rebuilt queue recognizes them. */
export const FOLDER_ENDING = '.folder';
