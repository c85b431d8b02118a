import { type Html, Html as Markup } from '#kit/html.js';

/** Decorative icons: the text beside each says the same. */
export const tick = icon('<path d="M5 12.5l4.5 4.5L19 7.5"/>');
export const cross = icon('<path d="M6.5 6.5l11 11M17.5 6.5l-11 11"/>');
export const clock = icon('<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>');
export const back = icon('<path d="M14.5 5.5L8 12l6.5 6.5"/>');
export const brokenLink = icon(
  '<path d="M10 14l4-4M8 11l-2 2a3.5 3.5 0 005 5l2-2M16 13l2-2a3.5 3.5 0 00-5-5l-2 2"/>',
);

function icon(shapes: string): Html {
  return new Markup(
    `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${shapes}</svg>`,
  );
}
