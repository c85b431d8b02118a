import { z } from 'zod';
import { addressOf, type DocsPage } from './page.js';

/** A section that can be found. */
const Findable = z.object({
  url: z.string(),
  page: z.string(),
  title: z.string(),
  text: z.string(),
});

export const SearchIndex = z.array(Findable);

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
