/** Checks a page under user settings (zoom, spacing, forced colours, reduced motion), and reports what is lost. */
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    wideSpacing?: CSSStyleSheet;
  }
}

/** WCAG 1.4.12: the spacing that a page must support. */
const WIDE = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }`;

export const spread = (page: Page, spacing: 'wide' | 'usual'): Promise<void> =>
  page.evaluate(
    (rules) => {
      window.wideSpacing ??= new CSSStyleSheet();
      window.wideSpacing.replaceSync(rules);
      if (!document.adoptedStyleSheets.includes(window.wideSpacing))
        document.adoptedStyleSheets.push(window.wideSpacing);
    },
    spacing === 'wide' ? WIDE : '',
  );

/** Controls that cannot be scrolled into view: left of the window, or above the scroll origin. */
export const unreachable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const control of document.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, [tabindex="0"]',
    )) {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || control.closest('[inert]'))
        continue;
      const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
      // Elements for screen readers, and the real inputs behind drawn ones.
      if (width <= 2 || height <= 2) continue;
      let scrollsX = false;
      let scrollsY = false;
      for (let at = control.parentElement; at; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        scrollsX ||= /auto|scroll/.test(overflowX) && at.scrollWidth > at.clientWidth;
        scrollsY ||= /auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight;
      }
      const isBeyondX = !scrollsX && (left < -1 || right > innerWidth + 1);
      const isBeyondY = !scrollsY && (top < -1 || bottom > innerHeight + 1);
      if (isBeyondX || isBeyondY)
        found.push(control.getAttribute('aria-label') ?? control.textContent?.trim() ?? control.outerHTML.slice(0, 80));
    }
    return found;
  });

/**
 * With forced colours: selected and unselected elements that look alike, and bars whose filled part looks like the
 * rest. Backgrounds are not painted then, so a border, an outline, a system colour or an icon has to show it.
 */
export const colourOnly = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    // Forced colours paint a transparent and a soft background alike.
    const canvas = getComputedStyle(document.body).backgroundColor;
    const painted = (colour: string): string => (colour === canvas || colour === 'rgba(0, 0, 0, 0)' ? 'none' : colour);
    const looks = (element: Element): string => {
      const parts = [element, ...element.querySelectorAll('*')].map((part) => {
        const style = getComputedStyle(part);
        return [
          ...[
            painted(style.backgroundColor),
            style.color,
            style.fontWeight,
            style.visibility,
            style.display,
            style.opacity,
          ],
          ...[style.borderTopColor, style.borderTopWidth, style.borderTopStyle, style.borderLeftWidth],
          ...[style.outlineStyle, style.outlineColor, style.transform, style.textDecorationLine],
        ].join(' ');
      });
      return `${parts.length}: ${parts.join('|')}`;
    };
    const seen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
    for (const group of document.querySelectorAll('[role=radiogroup], [role=tablist], nav')) {
      const choices = [...group.querySelectorAll('label, [role=tab], a, button')].filter(seen);
      const chosen = choices.filter((choice) =>
        choice.matches('[data-selected], [aria-current], [aria-selected=true]'),
      );
      const others = choices.filter((choice) => !chosen.includes(choice));
      for (const choice of chosen)
        if (others.some((other) => looks(other) === looks(choice))) found.push(choice.textContent?.trim() ?? 'choice');
    }
    for (const bar of document.querySelectorAll('[role=progressbar], [role=meter]')) {
      if (!seen(bar) || bar.getBoundingClientRect().width <= 2) continue;
      const edged = [bar, ...bar.querySelectorAll('*')].filter((part) => {
        const { borderTopStyle, forcedColorAdjust, backgroundColor } = getComputedStyle(part);
        const isPainted = backgroundColor !== 'rgba(0, 0, 0, 0)' && forcedColorAdjust === 'none';
        return borderTopStyle !== 'none' || isPainted;
      });
      if (edged.length === 0) found.push(bar.getAttribute('aria-label') ?? 'bar');
    }
    return found;
  });

/** Elements that move despite reduced motion. */
export const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 0)
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'transition')),
  );
