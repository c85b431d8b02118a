import { type ScoreBand, scoreBandOf, scoreBands } from '@reliability/scoring';
import fc from 'fast-check';
import { searchTextOf } from '#domain/searchText.js';
import type { Database } from '#kit/db/database.js';
import { indexForSearch } from '#ledger/displayNames.js';
import { subjectIdOf } from '#ledger/subjectId.js';

/** A subject of a random book. What `scored` holds is null where no score has been computed. */
export interface Subject {
  externalId: string;
  displayName: string | null;
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  registeredAt: string;
  scored: {
    finalScore: number;
    ownEvents: number;
    ownVerifiedEvents: number;
    lastActivityAt: string | null;
    isFrozen: boolean;
    /** Whether the subject's row has been told of its score yet. */
    isFlagged: boolean;
  } | null;
}

/** The query of a listing, as it is sent. */
export type BookAsk = Record<string, string>;

const dates = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-05'].map((day) => `${day}T00:00:00.000Z`);
const edges = [0, 19.99, 20, 34.99, 35, 42.5, 49.99, 50, 64.99, 65, 79.99, 80, 100];
const types = ['PERSON', 'AGENT', 'ORGANIZATION'] as const;

// Few values of each, and those at the edges of bands and levels: ties and borders are where a page
// goes wrong.
const subject: fc.Arbitrary<Omit<Subject, 'externalId'>> = fc.record({
  subjectType: fc.constantFrom('PERSON', ...types),
  displayName: fc.option(fc.constantFrom('Straße b', 'ΣΟΦΟΣ 0a', 'a%_\\ é', '\u{1F989}Bé'), { freq: 1 }),
  registeredAt: fc.constantFrom(...dates),
  scored: fc.option(
    fc.record({
      finalScore: fc.constantFrom(...edges),
      ownVerifiedEvents: fc.constantFrom(0, 0, 1, 4, 5, 19, 20, 50),
      ownEvents: fc.integer({ min: 50, max: 60 }),
      lastActivityAt: fc.option(fc.constantFrom(...dates), { freq: 4 }),
      isFrozen: fc.constantFrom(false, false, false, true),
      isFlagged: fc.constantFrom(true, true, true, false),
    }),
    { freq: 4 },
  ),
});

export const randomBook: fc.Arbitrary<Subject[]> = fc
  .uniqueArray(fc.string({ unit: fc.constantFrom('a', 'B', '0', '-', 'é'), minLength: 1, maxLength: 4 }), {
    maxLength: 40,
  })
  .chain((names) =>
    fc
      .array(subject, { minLength: names.length, maxLength: names.length })
      .map((rows) => rows.map((row, index) => ({ externalId: names[index] ?? '', ...row }))),
  );

const filterValues: Record<string, readonly string[]> = {
  q: ['a', 'B', 'É', '-', '0A', 'aBé', 'ASSE', 'σοφος', '%', '_', '\\', "'", '\u{1F989}b', ''],
  scoreMin: ['0', '20', '34.995', '50', '80'],
  scoreMax: ['100', '19.99', '49.99', '64.9999'],
  band: scoreBands,
  hasScore: ['true', 'false'],
  scoreFrozen: ['true', 'false'],
  subjectType: types,
  activeSince: dates,
  registeredSince: dates,
  registeredBefore: dates,
  hasVerifiedEvents: ['true', 'false'],
  minVerifiedEvents: ['0', '1', '3', '5', '20', '21'],
};

/** Filters that do not contradict each other, an order, and the length of a page. */
export const randomAsk: fc.Arbitrary<BookAsk> = fc
  .record({
    filters: fc
      .subarray(Object.keys(filterValues), { maxLength: 3 })
      .chain((names) =>
        fc.record(
          Object.fromEntries(names.map((name) => [name, fc.constantFrom(...(filterValues[name] ?? []))])),
        ),
      ),
    order: fc.record(
      {
        sort: fc.constantFrom('score', 'lastActivity', 'registered', 'externalId'),
        order: fc.constantFrom('asc', 'desc'),
        limit: fc.constantFrom('1', '3', '10', '1000'),
      },
      { requiredKeys: ['limit'] },
    ),
  })
  .map(({ filters, order }): BookAsk => ({ ...filters, ...order }))
  .filter(({ hasScore, scoreMin, scoreMax, band, registeredSince = '', registeredBefore = '~' }) => {
    const isContradictory = hasScore === 'false' && (scoreMin ?? scoreMax ?? band) !== undefined;
    const isEmpty = Number(scoreMin ?? 0) > Number(scoreMax ?? 100) || registeredSince > registeredBefore;
    return !isContradictory && !isEmpty;
  });

/** The book in the order asked for, by the plainest means. @param idOf the id that breaks ties. */
export function expectedBook(
  book: readonly Subject[],
  ask: BookAsk,
  idOf: (subject: Subject) => string,
): Subject[] {
  const { sort = 'score' } = ask;
  const order = ask.order ?? (sort === 'score' || sort === 'lastActivity' ? 'desc' : 'asc');
  const sign = order === 'asc' ? 1 : -1;
  return book
    .filter((row) => passes(row, ask))
    .sort((left, right) => {
      const [a = null, b = null] = [left, right].map((row) => sortValues[sort]?.(row));
      if ((a === null) !== (b === null)) return a === null ? 1 : -1; // without the value last, either way
      return sign * (compare(a ?? 0, b ?? 0) || compare(idOf(left), idOf(right)));
    });
}

function passes(row: Subject, ask: BookAsk): boolean {
  const { scored } = row;
  const verified = scored?.ownVerifiedEvents ?? 0;
  const asked = (name: string, meets: (value: string) => boolean) => {
    const value = ask[name];
    return value === undefined || meets(value);
  };
  return (
    asked('q', (part) =>
      [row.externalId, row.displayName ?? ''].some((text) => same(text).includes(same(part))),
    ) &&
    asked('scoreMin', (least) => scored !== null && scored.finalScore >= Number(least)) &&
    asked('scoreMax', (most) => scored !== null && scored.finalScore <= Number(most)) &&
    asked('band', (band) => scored !== null && scoreBandOf(scored.finalScore) === band) &&
    asked('hasScore', (has) => (scored !== null) === (has === 'true')) &&
    asked('scoreFrozen', (is) => (scored?.isFrozen ?? false) === (is === 'true')) &&
    asked('subjectType', (type) => row.subjectType === type) &&
    asked('activeSince', (since) => (scored?.lastActivityAt ?? '') >= since) &&
    asked('registeredSince', (since) => row.registeredAt >= since) &&
    asked('registeredBefore', (before) => row.registeredAt < before) &&
    asked('hasVerifiedEvents', (has) => verified > 0 === (has === 'true')) &&
    asked('minVerifiedEvents', (least) => verified >= Number(least))
  );
}

/** German ß is SS, and the Greek sigma at the end of a word is the one within. */
function same(text: string): string {
  return text.toUpperCase();
}

const sortValues: Record<string, (row: Subject) => string | number | null> = {
  score: ({ scored }) => scored?.finalScore ?? null,
  lastActivity: ({ scored }) => scored?.lastActivityAt ?? null,
  registered: ({ registeredAt }) => registeredAt,
  externalId: ({ externalId }) => externalId,
};

function compare(left: string | number, right: string | number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The summary of those who pass, by the plainest means. */
export function expectedSummary(book: readonly Subject[], ask: BookAsk, max: number): object {
  const matching = book.filter((row) => passes(row, ask));
  const scores = matching.flatMap(({ scored }) => (scored ? [scored.finalScore] : [])).sort((a, b) => a - b);
  const common = { histogramAsOf: null, matched: matching.length, scored: scores.length };
  if (matching.length > max) {
    const central = { median: null, mean: null };
    return { ...common, bands: null, histogram: null, central, aggregationSkipped: 'population_too_large' };
  }
  const bands = Object.fromEntries(
    scoreBands.map((band): [ScoreBand, number] => [band, countOf(scores, band)]),
  );
  const histogram = Array.from(
    { length: 101 },
    (_, points) => scores.filter((score) => Math.floor(score) === points).length,
  );
  return { ...common, bands, histogram, central: centralOf(scores), aggregationSkipped: null };
}

function countOf(scores: readonly number[], band: ScoreBand): number {
  return scores.filter((score) => scoreBandOf(score) === band).length;
}

function centralOf(scores: readonly number[]): { median: number | null; mean: number | null } {
  if (scores.length === 0) return { median: null, mean: null };
  const half = scores.length / 2;
  const middle = [scores[Math.ceil(half) - 1] ?? 0, scores[Math.floor(half)] ?? 0];
  return { median: rounded(middle), mean: rounded(scores) };
}

/** Their mean, half up to two decimals; of scores with two decimals each. */
function rounded(scores: readonly number[]): number {
  const hundredths = scores.reduce((sum, score) => sum + BigInt(Math.round(score * 100)), 0n);
  const twice = BigInt(2 * scores.length);
  return Number((2n * hundredths + BigInt(scores.length)) / twice) / 100;
}

/** Makes this the test book of the platform, and nothing else. */
export async function writeBook(db: Database, platformId: string, book: readonly Subject[]): Promise<void> {
  const rows = book.map(({ externalId, displayName, subjectType, registeredAt, scored }) => ({
    subject_id: subjectIdOf(platformId, false, externalId),
    external_id: externalId,
    display_name: displayName,
    search_text: searchTextOf({ externalId, displayName }),
    subject_type: subjectType,
    registered_at: registeredAt,
    is_scored: scored?.isFlagged ?? false,
    final_score: scored?.finalScore,
    score_band: scored && scoreBandOf(scored.finalScore),
    own_events: scored?.ownEvents,
    own_verified_events: scored?.ownVerifiedEvents,
    last_activity_at: scored?.lastActivityAt,
    frozen_at: scored?.isFrozen ? registeredAt : null,
  }));
  const values = [platformId, JSON.stringify(rows)];
  await db.transaction(async (tx) => {
    await tx.execute('delete from score where platform_id = $1 and not livemode', [platformId]);
    await tx.execute('delete from subject_search');
    await tx.execute('delete from subject where platform_id = $1 and not livemode', [platformId]);
    await tx.execute(
      `insert into subject (subject_id, platform_id, livemode, external_id, display_name, subject_type, record_id, registered_at,
         is_scored)
       select subject_id, $1::uuid, false, external_id, display_name, subject_type, subject_id, registered_at, is_scored
       from jsonb_to_recordset($2::jsonb) as row (subject_id uuid, external_id text, display_name text, subject_type text,
         registered_at timestamptz, is_scored boolean)`,
      values,
    );
    await tx.execute(
      `insert into score (subject_id, record_id, platform_id, livemode, final_score, score_band, confidence, confidence_label,
         behavioral_quality, total_events, verified_events, own_events, own_verified_events, last_activity_at, frozen_at,
         detail, formula_version, as_of, position, snapshot_no, computed_at, external_id, subject_type, registered_at,
         display_name, search_text)
       select subject_id, subject_id, $1::uuid, false, final_score, score_band, 0.5, 'medium', 50, own_events, own_verified_events,
         own_events, own_verified_events, last_activity_at, frozen_at, '{}', '5.3', 20000, 1, 1, now(), external_id, subject_type,
         registered_at, display_name, search_text
       from jsonb_to_recordset($2::jsonb) as row (subject_id uuid, external_id text, subject_type text, registered_at timestamptz,
         final_score numeric, score_band text, own_events integer, own_verified_events integer, last_activity_at timestamptz,
         frozen_at timestamptz, display_name text, search_text text)
       where final_score is not null`,
      values,
    );
    const found = book.map((row) => ({
      ...row,
      platformId,
      livemode: false,
      subjectId: subjectIdOf(platformId, false, row.externalId),
    }));
    await indexForSearch(tx, found);
  });
}
