/** The tasks of the renderer's threads. */
import type { Grammar } from '../../common/rendering/languages.ts';
import type { MarkdownPage } from '../../common/rendering/markdown.ts';

/** A text and its presentation. Code without a grammar has numbered lines but no colours. */
export type RenderTask =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly grammar: Grammar | null }
  | ({ readonly kind: 'markdown' } & MarkdownPage);
