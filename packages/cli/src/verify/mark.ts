import type { Output } from '../output.js';

/** Of a step, in a column of its own. */
export function markOf(isOk: boolean | null, output: Output): string {
  const [text, style] =
    isOk === null
      ? (['not checked', 'yellow'] as const)
      : isOk
        ? (['ok', 'green'] as const)
        : (['FAILED', 'red'] as const);
  return output.paint(style, text.padEnd(11));
}
