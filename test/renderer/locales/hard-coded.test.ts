/** All visible text of the window comes from the catalogues. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { expect, it } from 'vitest';

const RENDERER = fileURLToPath(new URL('../../../src/renderer/', import.meta.url));

/** Attributes whose value a user reads or hears. */
const SPOKEN = /^(aria-label|aria-description|aria-valuetext|alt|title|label|placeholder|hint|text|summary)$/;
const WORD = /\p{L}{2}/u;

type Node = { readonly type?: string } & Record<string, unknown>;

/** The text of a literal that contains words, or null. */
const literal = (node: Node | undefined): string | null => {
  if (node?.type === 'JSXExpressionContainer') return literal(node['expression'] as Node);
  if (node?.type === 'StringLiteral' || node?.type === 'JSXText') return String(node['value']);
  if (node?.type !== 'TemplateLiteral') return null;
  return (node['quasis'] as { cooked?: string }[]).map(({ cooked }) => cooked ?? '').join('');
};

const branches = (node: Node | undefined): (Node | undefined)[] => {
  const inner = node?.type === 'JSXExpressionContainer' ? (node['expression'] as Node) : node;
  if (inner?.type === 'ConditionalExpression')
    return [...branches(inner['consequent'] as Node), ...branches(inner['alternate'] as Node)];
  return inner?.type === 'BinaryExpression' ? branches(inner['right'] as Node) : [node];
};

const hardCoded = (source: string): string[] => {
  const found: string[] = [];
  const judge = (node: Node | undefined): void => {
    for (const branch of branches(node)) {
      const text = literal(branch);
      if (text !== null && WORD.test(text)) found.push(text.trim());
    }
  };
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, children, name, value } = node as Node;
    if (type === 'JSXElement' || type === 'JSXFragment') (children as Node[]).forEach(judge);
    if (type === 'JSXAttribute' && SPOKEN.test(String((name as Node)['value']))) judge(value as Node);
    Object.values(node).forEach(walk);
  };
  walk(parseSync(source, { syntax: 'typescript', tsx: true }));
  return found;
};

it('finds texts that are written in a component', () => {
  expect(hardCoded('const a = <p>Hello <b>{t.x}</b></p>')).toEqual(['Hello']);
  expect(hardCoded('const a = <p>{"Hello"}{`Hi`}</p>')).toEqual(['Hello', 'Hi']);
  expect(hardCoded('const a = <p>{busy ? "Wait" : t.done}{busy && "Wait"}</p>')).toEqual(['Wait', 'Wait']);
  expect(hardCoded('const a = <img alt="A dog" className="dog" aria-label={t.dog} />')).toEqual(['A dog']);
});

const files = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));

it.each(files)('%s has none', (file) => {
  expect(hardCoded(readFileSync(join(RENDERER, file), 'utf8'))).toEqual([]);
});
