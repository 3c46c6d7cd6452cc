/** Colours and layout of the code editor, from the design tokens, so that they follow the app's theme and palette. */

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const control = {
  height: 'var(--control-small)',
  padding: '0 var(--space-3)',
  border: '1px solid var(--line-strong)',
  borderRadius: 'var(--radius)',
  background: 'var(--surface)',
  color: 'var(--text)',
  font: 'var(--size-small) / 1 var(--font)',
  margin: '0',
};

const parts = EditorView.theme({
  '&': { height: '100%', background: 'var(--surface)', color: 'var(--text)', fontSize: 'var(--size)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.6',
    scrollbarWidth: 'thin',
    scrollbarColor: 'var(--line-strong) transparent',
  },
  '.cm-content': { padding: 'var(--space-3) 0', caretColor: 'var(--accent-text)' },
  '.cm-line': { padding: '0 var(--space-4)' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--accent-text)' },
  '.cm-placeholder': { color: 'var(--text-quiet)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in oklab, var(--accent) 28%, transparent)',
  },
  '.cm-selectionMatch': { background: 'var(--accent-soft)' },
  '.cm-searchMatch': { background: 'var(--code-target)', outline: '1px solid var(--line-strong)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    background: 'var(--code-target)',
    outline: '2px solid var(--accent-text)',
  },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-soft)', outline: '1px solid var(--accent-text)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--bad-soft)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-gutters': {
    background: 'var(--surface)',
    color: 'var(--text-quiet)',
    border: 'none',
    borderRight: '1px solid var(--line)',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 var(--space-2) 0 var(--space-3)', minWidth: '2.5rem' },
  '.cm-panels': { background: 'var(--surface-sunken)', color: 'var(--text)', zIndex: '2' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: 'var(--space-2)',
    alignItems: 'center',
    padding: 'var(--space-2) var(--space-8) var(--space-2) var(--space-3)',
    font: 'var(--size-small) / 1.4 var(--font)',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0', content: '""' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    gap: 'var(--space-1)',
    alignItems: 'center',
    fontSize: 'inherit',
  },
  '.cm-panel.cm-search input[type=checkbox]': {
    margin: '0',
    accentColor: 'var(--accent)',
    width: '1rem',
    height: '1rem',
  },
  '.cm-panel.cm-search .cm-textfield': { ...control, minWidth: '8rem', flex: '0 1 14rem' },
  '.cm-panel.cm-search .cm-button': { ...control, backgroundImage: 'none', cursor: 'default' },
  '.cm-panel.cm-search .cm-button:hover': { background: 'var(--surface-hover)' },
  '.cm-panel.cm-search [name=close]': {
    top: 'var(--space-2)',
    right: 'var(--space-2)',
    width: 'var(--control-small)',
    height: 'var(--control-small)',
    color: 'var(--text-quiet)',
    font: '1.25rem / 1 var(--font)',
    cursor: 'default',
  },
  '.cm-panel.cm-search :focus-visible': { outline: '2px solid var(--accent-text)', outlineOffset: '1px' },
});

const HIGHLIGHT_STYLE = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.documentMeta], color: 'var(--code-comment)', fontStyle: 'italic' },
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword, tags.bool, tags.null, tags.self],
    color: 'var(--code-keyword)',
  },
  { tag: [tags.string, tags.regexp, tags.special(tags.string), tags.monospace], color: 'var(--code-string)' },
  { tag: [tags.number, tags.unit, tags.color, tags.atom, tags.escape], color: 'var(--code-number)' },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.definition(tags.function(tags.variableName)),
      tags.tagName,
    ],
    color: 'var(--code-name)',
  },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.name)], color: 'var(--code-type)' },
  { tag: [tags.attributeName, tags.propertyName, tags.macroName, tags.labelName], color: 'var(--code-attribute)' },
  { tag: tags.heading, color: 'var(--code-name)', fontWeight: 'var(--weight-strong)' },
  { tag: tags.strong, fontWeight: 'var(--weight-strong)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--accent-text)', textDecoration: 'underline' },
  { tag: tags.url, color: 'var(--accent-text)' },
  { tag: [tags.quote, tags.processingInstruction, tags.contentSeparator], color: 'var(--code-comment)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

export const CODE_THEME: Extension = [parts, syntaxHighlighting(HIGHLIGHT_STYLE)];
