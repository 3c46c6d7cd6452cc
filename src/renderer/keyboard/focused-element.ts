/** Finds the element that has the focus also in a shadow root, whose host cannot take the focus back. */
export const focusedElement = (document: Document): HTMLElement | null => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused instanceof HTMLElement ? focused : null;
};
