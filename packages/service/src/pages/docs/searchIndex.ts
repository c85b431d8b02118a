import { z } from 'zod';
import { addressOf, type DocsPage } from './page.js';

/** A section that can be found. */
const Findable = z.object({
  url: z.string().meta({ description: 'The address, from the root of the service.' }),
  page: z.string().meta({ description: 'The title of the page.' }),
  title: z.string().meta({ description: 'The title of the section.' }),
  text: z.string().meta({ description: 'The section without markup and examples.' }),
});

const example = {
  url: 'docs/reporting#retries',
  page: 'Reporting outcomes',
  title: 'Retries',
  text: 'Send an Idempotency-Key.',
};

export const SearchIndex = z.array(Findable).meta({ example: [example] });

/** Every section of the pages. The script of the pages builds its index from it. */
export function searchIndex(pages: Iterable<DocsPage>): z.output<typeof SearchIndex> {
  return [...pages].flatMap((page) =>
    page.sections
      .filter(({ id, text }) => id !== '' || text !== '')
      .map(({ id, title, text }) => ({
        url: addressOf(page.path) + (id === '' ? '' : `#${id}`),
        page: page.title,
        title: title || page.title,
        text: (id === '' ? `${page.summary} ${text}` : text).replaceAll('`', ''),
      })),
  );
}
