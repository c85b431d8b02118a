import type { TestService } from './service.js';

interface Reading {
  key?: string;
  /** Reads as the operator. */
  admin?: boolean;
  /** Filters, each with its `&` before it. */
  query?: string;
  limit?: number;
}

/** Every entry of a list, page by page. It must not fail. */
export async function everyPage<T>(
  service: TestService,
  path: string,
  member: string,
  { key, admin, query = '', limit = 100 }: Reading = {},
): Promise<T[]> {
  const entries: T[] = [];
  for (let cursor = ''; ; ) {
    const answer = await service.request('GET', `${path}?limit=${limit}${query}${cursor}`, { key, admin });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    if (answer.body[member].length > limit) throw new Error(`${path} answered more than ${limit}`);
    entries.push(...answer.body[member]);
    if (answer.body.nextCursor === null) return entries;
    cursor = `&cursor=${answer.body.nextCursor}`;
  }
}
