/** Parses sources to trees: calls with their arguments and enclosing functions. Independent of Electron. */
import { parseSync } from '@swc/core';

export interface SourceText {
  /** Relative to the root of the project. */
  readonly path: string;
  readonly text: string;
}

export interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A node with its enclosing functions, the innermost last. */
export interface Seen {
  readonly node: Node;
  readonly within: readonly Node[];
}

export interface Source extends SourceText {
  readonly seen: readonly Seen[];
}

export type Rule = (source: Source) => readonly string[];

export const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'MethodProperty',
  'ClassMethod',
]);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const collect = (value: unknown, within: readonly Node[], into: Seen[]): void => {
  if (Array.isArray(value)) for (const entry of value) collect(entry, within, into);
  else if (typeof value === 'object' && value !== null) {
    const inner = isNode(value) && FUNCTIONS.has(value.type) ? [...within, value] : within;
    if (isNode(value)) into.push({ node: value, within });
    for (const entry of Object.values(value)) collect(entry, inner, into);
  }
};

export const nodesIn = (value: unknown): Node[] => {
  const seen: Seen[] = [];
  collect(value, [], seen);
  return seen.map(({ node }) => node);
};

/** `a.b.c` of an expression; empty for any other. */
export const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['value']);
  if (node.type === 'ThisExpression') return 'this';
  if (node.type === 'OptionalChainingExpression') return nameOf(node['base']);
  if (node.type !== 'MemberExpression') return '';
  const property = node['property'] as Node;
  // `shell['openExternal']` is the same as `shell.openExternal`.
  const key = property.type === 'Computed' ? (property['expression'] as Node)['value'] : property['value'];
  return `${nameOf(node['object'])}.${String(key)}`;
};

export interface Call {
  readonly name: string;
  readonly args: readonly Node[];
  readonly within: readonly Node[];
}

export const callOf = ({ node, within }: Seen): Call[] => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
  const args = ((node['arguments'] ?? []) as readonly { readonly expression: Node }[]).map(
    ({ expression }) => expression,
  );
  return [{ name: nameOf(node['callee']), args, within }];
};

export const callsIn = (source: Source): Call[] => source.seen.flatMap(callOf);
export const endsWith = (name: string, method: string): boolean => name === method || name.endsWith(`.${method}`);

type Property = { readonly name: string; readonly value: Node };

/** The properties of an object literal; null if one of them cannot be analysed. */
export const propertiesOf = (object: Node | undefined): Property[] | null => {
  if (object?.type !== 'ObjectExpression') return null;
  const properties: Property[] = [];
  for (const each of object['properties'] as readonly Node[]) {
    const key = each['key'] as Node | undefined;
    if (each.type !== 'KeyValueProperty' || !key || key.type === 'Computed') return null;
    properties.push({ name: String(key['value']), value: each['value'] as Node });
  }
  return properties;
};

export const read = (source: SourceText): Source => {
  const seen: Seen[] = [];
  collect(parseSync(source.text, { syntax: 'typescript', target: 'es2024' }).body, [], seen);
  return { ...source, seen };
};
