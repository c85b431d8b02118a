import { useSignal } from '@preact/signals';
import { model } from '@reliability/scoring';
import { useRef } from 'preact/hooks';
import { type AnswerOf, get } from '../../kit/api.ts';
import { failureFrom } from '../../kit/apiFailure.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatChange, formatDay, formatNumber } from '../../kit/format.ts';
import type { Outcome } from '../../kit/OutcomeDetails.tsx';
import { Query, useQuery } from '../../kit/Query.tsx';
import { may } from '../../kit/session.ts';
import { language } from '../../kit/texts.ts';
import { OutcomeDialog } from './OutcomeDialog.tsx';
import { texts } from './texts.ts';

/** Each outcome at the day on which it happened, or at that of its report. */
export type Basis = 'outcome' | 'recorded';
export type Move = AnswerOf<'GET /users/{id}/score/change'>;
/** Points are known by outcome alone. */
type Part = Omit<Move['parts'][number], 'points' | 'outcomes'> & {
  points: number | null;
  outcomes: Listed[];
};
type Listed = Omit<Move['parts'][number]['outcomes'][number], 'points'> & { points: number | null };
type Explanation = AnswerOf<'GET /users/{id}/score/explain'>;

/** From the end of one day to the end of another. */
export interface Days {
  from: string;
  to: string;
}

interface MovedProps {
  id: string;
  by: Basis;
  days: Days;
  /** The move between these days, where it has been read. */
  known: Move | undefined;
  /** Nothing counted on the first of these days. */
  isFirst: boolean;
  /** Outcomes between these days. */
  count: number;
}

const PAUSE_MS = 120;
/** Where every score begins. */
const START = model.anchor;

/** The change between two days: the outcomes behind it, each with its points, and the factors of the score. */
export function Moved({ id, by, days: { from, to }, known, isFirst, count }: MovedProps) {
  const asked = useRef(new Map<string, Promise<unknown>>());
  const change = useQuery(
    async (signal) => {
      // A held arrow key passes many steps: the one where it rests is asked for. The first one has no key to wait for.
      if (asked.current.size > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      const once = <Answer,>(key: string, ask: () => Promise<Answer>) => {
        const answer = (asked.current.get(key) as Promise<Answer> | undefined) ?? ask();
        answer.catch(() => asked.current.delete(key));
        asked.current.set(key, answer);
        return answer;
      };
      const explained = (asOf: string) => once(asOf, () => explain(id, by, asOf));
      const move = () =>
        once(`${from} ${to} ${language.value}`, () =>
          get('GET /users/{id}/score/change', { params: { id }, query: { from, to } }),
        );
      const recorded = () =>
        once(`${from} ${to}`, async () => ({
          baseline: null,
          sentence: null,
          parts: partsOf(await recordedBetween(id, from, to)),
        }));
      const found = by === 'outcome' ? (known ?? (await move())) : await recorded();
      const [old, now] = await Promise.all([
        isFirst || found.baseline === 'blank' ? null : explained(from),
        explained(to),
      ]);
      const before = (name: string) => old?.factors.find((factor) => factor.name === name)?.contribution ?? 0;
      // With its days: until the next answer is here, these stay.
      return {
        text: [
          texts.from(formatDay(from), formatNumber(old?.finalScore ?? START, 2)),
          texts.to(formatDay(to), formatNumber(now?.finalScore ?? START, 2)),
        ].join(' '),
        count,
        delta: (now?.finalScore ?? START) - (old?.finalScore ?? START),
        factors: (now?.factors ?? []).map(({ name, contribution }) => ({
          name,
          delta: contribution - before(name),
        })),
        move: found,
      };
    },
    [id, from, to, known, language.value],
  );
  return (
    <Query of={change} height={160}>
      {(read) => (
        <div class="moved">
          <p aria-live="polite">
            {read.text} <strong>({formatChange(read.delta)})</strong>.{' '}
            {texts.inStep(formatNumber(read.count))}
          </p>
          {!known && read.move.sentence && <p dir="auto">{read.move.sentence}</p>}
          <div class="columns">
            <Parts of={read.move.parts} />
            <div>
              <h4>{texts.byFactor}</h4>
              <dl class="factor-changes">
                {read.factors.map(({ name, delta }) => (
                  <div key={name}>
                    <dt>{texts[name]}</dt>
                    <dd>
                      <Points of={delta} />
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
          </div>
        </div>
      )}
    </Query>
  );
}

/** Null: no outcome counted on that day. */
async function explain(id: string, by: Basis, asOf: string): Promise<Explanation | null> {
  try {
    return await get('GET /users/{id}/score/explain', { params: { id }, query: { asOf, by } });
  } catch (error) {
    if (failureFrom(error).code === 'USER_NOT_FOUND') return null;
    throw error;
  }
}

/** Of a record with more entries since then, the newest are read. */
const MAX_PAGES = 6;

/** The platform's own outcomes that were recorded between two days, newest first. */
async function recordedBetween(id: string, from: string, to: string): Promise<Outcome[]> {
  const found: Outcome[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read: Timeline = await get('GET /users/{id}/timeline', {
      params: { id },
      query: { limit: 100, cursor },
    });
    found.push(...read.items.flatMap(({ at, event }) => (event && isWithin(at, from, to) ? event : [])));
    cursor = read.nextCursor;
    if (cursor === null || (read.items.at(-1)?.at ?? '') < from) break;
  }
  return found;
}

type Timeline = AnswerOf<'GET /users/{id}/timeline'>;

/** From the end of one day to the end of another. */
export function isWithin(at: string, from: string, to: string): boolean {
  const day = at.slice(0, 10);
  return day > from && day <= to;
}

function partsOf(outcomes: readonly Outcome[]): Part[] {
  return [...new Set(outcomes.map(({ eventType }) => eventType))].map((eventType) => {
    const ofType = outcomes.filter((outcome) => outcome.eventType === eventType);
    const listed = ofType.map((outcome) => ({
      eventId: outcome.id,
      at: occurredAt(outcome),
      confirmedBy: outcome.attester,
      points: null,
    }));
    return { kind: 'outcomes', eventType, count: listed.length, points: null, outcomes: listed };
  });
}

/** As the formula places it (docs/FORMULA.md). */
function occurredAt({ completedAt, dueDate, createdAt }: Outcome): string {
  return completedAt ?? (dueDate && dueDate <= createdAt ? dueDate : createdAt);
}

/** Longer lists are folded. */
const LISTED = 6;

/** What moved it, each with its outcomes, which open. */
function Parts({ of }: { of: readonly Part[] }) {
  const opened = useSignal<string | null>(null);
  const listOf = (outcomes: Part['outcomes']) => (
    <ul>
      {outcomes.map(({ eventId, at, confirmedBy, points }) => {
        const text = [at && formatDay(at), eventId ? confirmedBy : texts.theRest].filter(Boolean).join(' · ');
        return (
          <li key={eventId} class="moved-line">
            {eventId && may('events', 'read') ? (
              <button type="button" class="quiet" dir="auto" onClick={() => (opened.value = eventId)}>
                {text}
              </button>
            ) : (
              <span dir="auto">{text}</span>
            )}
            <Points of={points} />
          </li>
        );
      })}
    </ul>
  );
  return (
    <div>
      <h4>{texts.byOutcomes}</h4>
      {of.length === 0 && <p class="soft">{texts.none}</p>}
      <ul class="moved-parts">
        {of.map((part) => (
          <li key={`${part.kind} ${part.eventType} ${part.only}`}>
            <div class="moved-line">
              <strong>{titleOf(part)}</strong>
              <strong>
                <Points of={part.points} />
              </strong>
            </div>
            {part.outcomes.some(({ eventId }) => eventId) && listOf(part.outcomes.slice(0, LISTED))}
            {part.outcomes.length > LISTED && (
              <details>
                <summary>{texts.more(formatNumber(part.outcomes.length - LISTED))}</summary>
                {listOf(part.outcomes.slice(LISTED))}
              </details>
            )}
          </li>
        ))}
      </ul>
      {opened.value && <OutcomeDialog eventId={opened.value} onClose={() => (opened.value = null)} />}
    </div>
  );
}

function titleOf({ kind, eventType, only, count }: Part): string {
  if (kind !== 'outcomes') return texts[kind];
  const words = eventType ? wordsFor('eventType', eventType) : texts.ofOthers;
  return `${formatNumber(count)} × ${words}${only ? ` (${texts[only]})` : ''}`;
}

function Points({ of }: { of: number | null }) {
  if (of === null) return null;
  return <span class={of > 0.004 ? 'good' : of < -0.004 ? 'bad' : 'soft'}>{formatChange(of)}</span>;
}
