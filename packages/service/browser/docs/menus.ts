/**
 * Opens the menu and the table of contents where the style shows them in full: assistive technology
 * then knows that they are open.
 */
export function openMenus(): void {
  for (const [selector, width] of [
    ['.menu > details', '60rem'],
    ['.toc > details', '78rem'],
  ] as const) {
    const details = document.querySelector<HTMLDetailsElement>(selector);
    const isWide = matchMedia(`(min-width: ${width})`);
    const adapt = () => {
      if (details) details.open = isWide.matches;
    };
    isWide.addEventListener('change', adapt);
    adapt();
  }
}
