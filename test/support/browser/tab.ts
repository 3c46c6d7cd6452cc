/**
 * A page in any of the browsers that the tests drive. Clicks and keys are the browser's own input, so that the page gets
 * the user activation that a real click or key gives; nothing else gives it.
 */

/** An element by what a user perceives: its role and accessible name, or a selector where it has neither. */
export interface Target {
  readonly css?: string;
  readonly role?: keyof typeof ROLES;
  /** The whole name, with single spaces. */
  readonly name?: string;
  /** A part of the name. */
  readonly like?: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Passed to the page as source: it sees nothing of its module. */
export type PageFunction<Given, Result> = (given: Given) => Result | Promise<Result>;

export interface Tab {
  open(address: string): Promise<void>;
  /** Runs a function in the page; its input and result are JSON. */
  evaluate<Given, Result>(run: PageFunction<Given, Result>, given: Given): Promise<Result>;
  /** Whether a visible element matches now. */
  has(target: Target): Promise<boolean>;
  /** Waits for a visible element, as all methods below do, and returns its text. */
  textOf(target: Target): Promise<string>;
  /** The value of a field. */
  valueOf(target: Target): Promise<string>;
  click(target: Target): Promise<void>;
  hover(target: Target): Promise<void>;
  /** Replaces the text of a field, key by key. */
  fill(target: Target, text: string): Promise<void>;
  /** One combination, such as `Control+v` or `Enter`, with the names of `KeyboardEvent.key`. */
  press(keys: string): Promise<void>;
  /** Gives files to an `input` of files, which may be hidden. */
  chooseFiles(css: string, paths: readonly string[]): Promise<void>;
  /** The size of the page in CSS pixels. */
  resize(size: Size): Promise<void>;
  /** PNG of what is visible. */
  screenshot(): Promise<Buffer>;
  /** PDF of the page on A4. */
  print(): Promise<Buffer>;
  close(): Promise<void>;
}

const ROLES = {
  button: 'button, [role=button]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  combobox: 'select, [role=combobox], button[aria-haspopup=listbox]',
  dialog: 'dialog, [role=dialog], [role=alertdialog]',
  heading: 'h1, h2, h3, h4, [role=heading]',
  image: 'img, [role=img]',
  link: 'a[href], [role=link]',
  listitem: 'li, [role=listitem]',
  menuitem: '[role=menuitem], [role=menuitemradio], [role=menuitemcheckbox]',
  option: 'option, [role=option]',
  radio: 'input[type=radio], [role=radio]',
  searchbox: 'input[type=search], [role=searchbox]',
  switch: '[role=switch]',
  tab: '[role=tab]',
  textbox:
    'input:not([type]), input[type=text], input[type=password], textarea, [role=textbox], [contenteditable=true]',
} as const;

/** What `FIND` receives. */
const wire = ({ role, css, name, like }: Target) => ({
  selector: [css, role === undefined ? undefined : ROLES[role]].filter((part) => part !== undefined).join(', ') || '*',
  name: name ?? null,
  like: like ?? null,
});

type WireTarget = ReturnType<typeof wire>;

/** The first visible element that matches, or null. In the page. */
const FIND = ({ selector, name, like }: WireTarget): Element | null => {
  const nameOf = (element: Element): string => {
    const words = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();
    const labelled = element
      .getAttribute('aria-labelledby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' ');
    const { labels } = element as HTMLInputElement;
    const label = labels?.[0]?.textContent;
    return words(
      labelled || element.getAttribute('aria-label') || label || element.getAttribute('alt') || element.textContent,
    );
  };
  const isVisible = (element: Element): boolean =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden';
  // The editor of notes is in a shadow root.
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot);
  return (
    roots
      .flatMap((root) => [...root.querySelectorAll(selector)])
      .find(
        (element) =>
          (name === null || nameOf(element) === name) &&
          (like === null || nameOf(element).includes(like)) &&
          (isVisible(element) || element.matches('input[type=checkbox], input[type=radio]')),
      ) ?? null
  );
};

/** A call of a function of the page as an expression. */
export const callOf = <Given>(run: PageFunction<Given, unknown>, given: Given): string =>
  `(${String(run)})(${JSON.stringify(given ?? null)})`;

/** An expression for the element of a target, or null. */
export const elementOf = (target: Target): string => callOf(FIND as PageFunction<WireTarget, unknown>, wire(target));
