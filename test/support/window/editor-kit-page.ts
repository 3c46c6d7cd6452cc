/** What `editor-kit.ts` puts into a page. */
export * from '../../../src/renderer/editor/document.ts';
export * from '../../../src/renderer/editor/picture/export-image.ts';
export * from '../../../src/renderer/editor/picture/original-image.ts';
