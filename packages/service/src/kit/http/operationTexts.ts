import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../packageFile.js';

/** What the API reference says about an operation, in Markdown. */
export interface OperationText {
  readonly summary: string;
  /** What it does, when to use it and what it never does. */
  readonly description: string;
}

const FOLDER = packageFile('operations/');
/** A line that only continues a paragraph: no empty line before it, no list item, no row of a table. */
const CONTINUED = /([^\n])\n(?!\n|- |\d{1,3}\. |\|)/g;

let texts: ReadonlyMap<string, OperationText> | undefined;

/** The texts of `operations/*.md` by operation id: a heading, a paragraph that is the summary, the description. */
export function operationTexts(): ReadonlyMap<string, OperationText> {
  texts ??= new Map(
    readdirSync(FOLDER).flatMap((file) => {
      const [, ...sections] = readFileSync(new URL(file, FOLDER), 'utf8').split(/^## /m);
      return sections.map((section) => {
        const [id = '', summary = '', ...rest] = section.trim().split('\n\n');
        return [id, { summary, description: rest.join('\n\n').replace(CONTINUED, '$1 ') }] as const;
      });
    }),
  );
  return texts;
}
