/** The page side of `editor-kit.ts`. */
export * from '../../../src/renderer/drawing/document.ts';
export * from '../../../src/renderer/editor/picture/export-image.ts';
export * from '../../../src/renderer/editor/picture/original-image.ts';
