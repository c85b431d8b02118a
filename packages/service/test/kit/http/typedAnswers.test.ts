import { expect, test } from 'vitest';
import { z } from 'zod';
import { created, noContent, ok } from '#kit/http/answer.js';
import { instant } from '#kit/http/query.js';
import { anyKey, route } from '#kit/http/route.js';

const Thing = z.object({ id: z.string(), state: z.enum(['open', 'closed']), at: instant.nullable() });
const things = {
  access: anyKey,
  operationId: 'readThing',
  tag: 'T',
  summary: 'S',
  description: 'D',
  answers: { 200: Thing },
};
const at = new Date(0);

// This tests the compiler: a missing expected error fails `npm run check:types`.
test('a handler returns the body that its route answers with, by status', () => {
  const routes = [
    route({ ...things, handle: () => ok({ id: 'a', state: 'open', at }) }),
    route({ ...things, answers: { 204: null }, handle: async () => noContent() }),
    // @ts-expect-error a field is missing
    route({ ...things, handle: () => ok({ id: 'a', at }) }),
    // @ts-expect-error a moment is a Date
    route({ ...things, handle: async () => ok({ id: 'a', state: 'open', at: 'today' }) }),
    // @ts-expect-error the enum does not have this value
    route({ ...things, handle: () => ok({ id: 'a', state: 'ajar', at }) }),
    // @ts-expect-error it answers 200
    route({ ...things, handle: () => created({ id: 'a', state: 'open', at }) }),
    // @ts-expect-error the catalogue does not have this code
    route({ ...things, errors: ['NO_SUCH_CODE'], handle: () => ok({ id: 'a', state: 'open', at }) }),
  ];
  expect(routes).toHaveLength(7);
});
