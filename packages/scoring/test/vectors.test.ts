import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dayFromIso, foldTallies, type OutcomeFacts, score } from '../src/index.js';

interface Vector {
  asOf: string;
  events: (Omit<OutcomeFacts, 'createdAt' | 'completedAt' | 'dueDate'> & {
    createdAt: string;
    completedAt?: string;
    dueDate?: string;
  })[];
  expected: { finalScore: number; scoreBand: string; confidence: number; behavioralQuality: number } | null;
}

const vectors = JSON.parse(
  readFileSync(new URL('./scoring-vectors.json', import.meta.url), 'utf8'),
) as Vector[];

describe('the worked cases', () => {
  test('there are forty of them', () => expect(vectors).toHaveLength(40));

  test.each(vectors.map((vector, index) => ({ index, vector })))(
    'case $index is met to the last digit',
    ({ vector }) => {
      const result = score(foldTallies(vector.events.map(facts)), dayFromIso(vector.asOf));
      if (vector.expected === null) expect(result).toBeNull();
      else expect(result).toMatchObject(vector.expected);
    },
  );
});

function facts(event: Vector['events'][number]): OutcomeFacts {
  const date = (text: string | undefined) => (text === undefined ? null : new Date(text));
  return {
    ...event,
    createdAt: new Date(event.createdAt),
    completedAt: date(event.completedAt),
    dueDate: date(event.dueDate),
  };
}
