/** Measures the accessibility of a page: contrast, names, focus, width. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA for text of normal size. */
const CONTRAST = 4.5;

/** Texts with too little contrast against their background, as `"text" 3.9`. Disabled parts are exempt. */
export const lowContrast = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (!canvas) throw new Error('no canvas');
    type Colour = readonly [number, number, number, number];
    const read = (css: string): Colour => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mix = (index: 0 | 1 | 2) => top[index] * top[3] + below[index] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const behind = (element: Element | null): Colour => {
      if (!element) return [255, 255, 255, 1];
      const own = read(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, behind(element.parentElement));
    };
    const luminance = ([r, g, b]: Colour): number => {
      const [x = 0, y = 0, z = 0] = [r, g, b].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim() ?? '';
      const element = texts.currentNode.parentElement;
      const isSeen = element?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ?? false;
      if (text === '' || !element || !isSeen || element.closest('[data-disabled]')) continue;
      // The picture below shows the same words.
      if (element.closest('[data-over-picture]')) continue;
      const ground = behind(element);
      const ink = over(read(getComputedStyle(element).color), ground);
      const [light = 0, dark = 0] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio < least) found.push(`"${text}" ${ratio.toFixed(2)}`);
    }
    return found;
  }, CONTRAST);

const INTERACTIVE = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'radio',
  'switch',
  'checkbox',
  'menuitem',
  'progressbar',
  'meter',
  'list',
  'region',
  'navigation',
]);

/** Nodes of the accessibility tree that lack a required name. */
export const nameless = async (page: Page): Promise<string[]> => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored, role }) => !ignored && INTERACTIVE.has(role?.value))
    .filter(({ name }) => !name?.value)
    .map(({ role }) => String(role?.value));
};

/** Presses Tab through the whole page and returns each stop: its name, and whether the focus is visible. */
export const tabStops = async (page: Page): Promise<{ name: string; isSeen: boolean }[]> => {
  const stops: { name: string; isSeen: boolean }[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      // The label of a hidden input shows its focus.
      const isSeen = [element, element.closest('label')].some((marked) => {
        if (!marked) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(marked);
        const { width, height } = marked.getBoundingClientRect();
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0 && width > 4 && height > 4;
      });
      const label = element.getAttribute('aria-label') ?? element.textContent?.trim();
      return { name: label || element.getAttribute('name') || element.tagName, isSeen };
    });
    if (stop === null) return stops;
    stops.push(stop);
  }
  return stops;
};

/** Controls of one bar, section or dialog that overlap, as `"Back" over "Undo" 17x32`. */
export const overlappingControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const slack = 1;
    const found: string[] = [];
    /** Without what its scrolling ancestors hide. */
    const visibleBox = (control: Element): DOMRect => {
      let { left, top, right, bottom } = control.getBoundingClientRect();
      for (let around = control.parentElement; around !== null; around = around.parentElement) {
        if (getComputedStyle(around).overflow === 'visible') continue;
        const frame = around.getBoundingClientRect();
        [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
        [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    const groups = new Map<Element, { readonly name: string; readonly box: DOMRect }[]>();
    for (const control of document.querySelectorAll<HTMLElement>('button, a[href], summary, select, textarea')) {
      const box = visibleBox(control);
      const isSeen = control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const { clipPath, position } = getComputedStyle(control);
      // What floats above others is meant to; what is only for screen readers has no place.
      if (!isSeen || clipPath !== 'none' || position !== 'static' || box.width <= 2 || box.height <= 2) continue;
      const around = 'header, footer, nav, form, section, li, [role=toolbar], [role=dialog], [role=alertdialog]';
      const group = control.closest(around) ?? document.body;
      const name = (control.getAttribute('aria-label') ?? control.textContent?.trim() ?? '').slice(0, 50);
      groups.set(group, [...(groups.get(group) ?? []), { name, box }]);
    }
    for (const controls of groups.values()) {
      for (const [index, { name, box }] of controls.entries()) {
        for (const other of controls.slice(index + 1)) {
          const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
          const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
          if (width <= slack || height <= slack) continue;
          found.push(`"${name}" over "${other.name}" ${Math.round(width)}x${Math.round(height)}`);
        }
      }
    }
    return found;
  });

/** Whether anything is wider than the window. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main')].some(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    ),
  );

/** Of a finger (WCAG 2.2, 2.5.5). */
const TARGET_PX = 44;
/** The minimum of WCAG 2.2, 2.5.8. */
const TARGET_MIN_PX = 24;

/**
 * Controls that are smaller than a finger, as `"name" 40x44`. A label counts as part of its control; links within a
 * sentence or a text of code, native video controls and what is covered by an open dialog are exempt.
 * What matches `exempt` needs only 24 px.
 */
export const smallTargets = (page: Page, exempt = ':not(*)'): Promise<string[]> =>
  page.evaluate(
    ({ exempted, least, floor }) => {
      const slack = 0.5;
      const found = new Set<string>();
      const dialogs = document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]');
      const within: ParentNode = [...dialogs].at(-1) ?? document;
      const controls =
        'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=switch], [role=radio], [role=checkbox], [role=tab], [role=menuitem], [role=option]';
      for (const control of within.querySelectorAll<HTMLElement>(controls)) {
        const label = control.closest('label') ?? (control as HTMLInputElement).labels?.[0] ?? null;
        const holder =
          label !== null && control instanceof HTMLInputElement && label.contains(control) ? label : control;
        if (!holder.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const { clipPath, display, position } = getComputedStyle(holder);
        const { width, height } = holder.getBoundingClientRect();
        // Shown only with the focus, or only to screen readers.
        if (clipPath !== 'none' || width <= 2 || height <= 2) continue;
        if (position === 'absolute' && holder.getBoundingClientRect().bottom <= 0) continue;
        const isInSentence =
          display === 'inline' &&
          (holder.parentElement?.textContent ?? '').trim() !== (holder.textContent ?? '').trim();
        // Line numbers are as high as their lines.
        if (
          isInSentence ||
          holder.closest('pre, .lines') ||
          (holder as HTMLInputElement).disabled ||
          control.tabIndex < 0
        )
          continue;
        const enough = holder.matches(exempted) ? floor : least;
        if (width >= enough - slack && height >= enough - slack) continue;
        const name = holder.getAttribute('aria-label') ?? holder.textContent?.trim() ?? '';
        found.add(`"${(name || control.tagName).slice(0, 50)}" ${Math.round(width)}x${Math.round(height)}`);
      }
      return [...found];
    },
    { exempted: exempt, least: TARGET_PX, floor: TARGET_MIN_PX },
  );

/** Violations of axe's rules, each with the elements. `contrast`: only those that depend on the theme. */
export const axeViolations = async (page: Page, which: 'all' | 'contrast' = 'all'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    const { axe: loaded } = window as unknown as { axe: typeof import('axe-core') };
    // React Aria adds a close button for screen readers beside open overlays, outside of all landmarks.
    const isOpen = document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null;
    // It keeps the name of a busy button for some seconds, even when the button is removed.
    const context = { exclude: [['[data-live-announcer]']] };
    const { violations } = await loaded.run(
      context,
      rules === 'contrast'
        ? { runOnly: ['color-contrast'] }
        : // axe omits the 24 px targets (WCAG 2.2, 2.5.8) by default.
          { rules: { region: { enabled: !isOpen }, 'target-size': { enabled: true } }, resultTypes: ['violations'] },
    );
    // In a slider, the whole track is one target (2.5.8, note 1).
    const isMeant = (id: string, html: string): boolean => id !== 'target-size' || !html.includes('role="slider"');
    return violations.flatMap(({ id, nodes }) => {
      const meant = nodes.map(({ html }) => html).filter((html) => isMeant(id, html));
      return meant.length === 0 ? [] : [`${id}: ${meant.join(' ')}`];
    });
  }, which);
};

/**
 * Texts that are not readable in full: cut off without scrolling or `title`, outside of their button, or below a
 * neighbour's text; and controls that are cut off or covered by another floating element.
 */
export const clippedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Pixels of tolerance for rounding and the overhang of letters. */
    const slack = 1.5;
    const found = new Set<string>();
    /** Each element is asked about once for every parent. */
    const once = <Result>(measure: (element: Element) => Result): ((element: Element) => Result) => {
      const known = new Map<Element, { readonly result: Result }>();
      return (element) => {
        const entry = known.get(element) ?? { result: measure(element) };
        known.set(element, entry);
        return entry.result;
      };
    };
    const isSeen = once((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

    /** The box of visible letters, or null without any. */
    const boxOf = (node: Node): DOMRect | null => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      return box.width > 0 && box.height > 0 ? box : null;
    };
    const cut = (text: Node, box: DOMRect): void => {
      for (let at = text.parentElement; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY, clipPath, position } = getComputedStyle(at);
        const edges = at.getBoundingClientRect();
        // Only for screen readers.
        if (clipPath !== 'none' || edges.width <= 2) return;
        if (at.closest('[title]:not([title=""])')) return;
        if (/auto|scroll/.test(overflowX + overflowY)) return;
        const beyondX = Math.max(box.right - edges.right, edges.left - box.left);
        const beyondY = Math.max(box.bottom - edges.bottom, edges.top - box.top);
        const isCut = (overflowX !== 'visible' && beyondX > slack) || (overflowY !== 'visible' && beyondY > 4 * slack);
        if (isCut) {
          found.add(`cut off: "${short(text.textContent ?? '')}"`);
          return;
        }
        if (at.matches('button, a, [role=button], [role=tab], [role=menuitem], [role=option]') && !at.closest('p')) {
          if (beyondX > slack || beyondY > slack) found.add(`outside its button: "${short(text.textContent ?? '')}"`);
          return;
        }
        if (position === 'fixed') return;
      }
    };

    for (const control of document.querySelectorAll('button, a[href], input, select, [role=switch], [role=slider]')) {
      const box = control.getBoundingClientRect();
      if (!isSeen(control) || box.width <= 2 || getComputedStyle(control).clipPath !== 'none') continue;
      for (let at = control.parentElement; at && at !== document.body; at = at.parentElement) {
        const { overflow, clipPath, position } = getComputedStyle(at);
        const edges = at.getBoundingClientRect();
        if (/auto|scroll/.test(overflow) || clipPath !== 'none' || edges.width <= 2 || position === 'fixed') break;
        if (!/hidden|clip/.test(overflow)) continue;
        const beyond = [box.right - edges.right, edges.left - box.left, box.bottom - edges.bottom, edges.top - box.top];
        if (Math.max(...beyond) > slack) {
          found.add(`control cut off: "${control.getAttribute('aria-label') ?? short(control.textContent ?? '')}"`);
          break;
        }
      }
    }

    const isModal = document.querySelector('[role=dialog], [role=alertdialog]') !== null;
    const floatsIn = (element: Element): Element | null => {
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement)
        if (/^(fixed|sticky)$/.test(getComputedStyle(at).position)) return at;
      return null;
    };
    for (const control of isModal ? [] : document.querySelectorAll('button, a[href]')) {
      const { left, top, width, height } = control.getBoundingClientRect();
      const above = isSeen(control) && document.elementFromPoint(left + width / 2, top + height / 2);
      if (!above || control.contains(above) || above.contains(control)) continue;
      const [own, other] = [floatsIn(control), floatsIn(above)];
      if (own && other && own !== other && !own.contains(other) && !other.contains(own))
        found.add(`lies below: "${control.getAttribute('aria-label') ?? short(control.textContent ?? '')}"`);
    }

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      // The dot between two values is visible only between them.
      if (!node.textContent?.replace('·', '').trim() || !node.parentElement || !isSeen(node.parentElement)) continue;
      const box = boxOf(node);
      if (box) cut(node, box);
    }

    /** The box of the letters within its edges: a button may be larger than its text, a scroll area smaller. */
    const lettersOf = once((element): DOMRect | null => {
      const boxes: DOMRect[] = [];
      const inner = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (inner.nextNode()) {
        const { textContent, parentElement } = inner.currentNode;
        if (!textContent?.trim() || !parentElement || !isSeen(parentElement)) continue;
        if (getComputedStyle(parentElement).clipPath !== 'none') continue;
        const box = boxOf(inner.currentNode);
        if (box) boxes.push(box);
      }
      const edges = element.getBoundingClientRect();
      const left = Math.max(edges.left, Math.min(...boxes.map((box) => box.left)));
      const top = Math.max(edges.top, Math.min(...boxes.map((box) => box.top)));
      const right = Math.min(edges.right, Math.max(...boxes.map((box) => box.right)));
      const bottom = Math.min(edges.bottom, Math.max(...boxes.map((box) => box.bottom)));
      return right > left && bottom > top ? new DOMRect(left, top, right - left, bottom - top) : null;
    });
    for (const parent of document.body.querySelectorAll('*')) {
      const neighbours = [...parent.children].filter((child) => {
        const { position, display, clipPath } = getComputedStyle(child);
        const isInFlow = position !== 'absolute' && position !== 'fixed' && position !== 'sticky';
        return isInFlow && display !== 'inline' && clipPath === 'none' && child.textContent?.trim() && isSeen(child);
      });
      for (const [index, one] of neighbours.entries())
        for (const other of neighbours.slice(index + 1)) {
          const [a, b] = [lettersOf(one), lettersOf(other)];
          if (!a || !b) continue;
          const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (wide > slack && high > slack)
            found.add(`over each other: "${short(one.textContent ?? '')}" and "${short(other.textContent ?? '')}"`);
        }
    }
    return [...found];
  });

/** Links that are longer than their field. */
export const cutLinks = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input[readonly]')]
      .filter((field) => field.checkVisibility() && field.scrollWidth > field.clientWidth + 1)
      .map(({ value }) => value),
  );
