import { fileURLToPath } from 'node:url';

/** The languages of examples, in the order in which they are shown. */
export const LANGUAGES = ['sh', 'ts', 'python', 'go'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));
