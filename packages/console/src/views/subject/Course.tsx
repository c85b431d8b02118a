import { useSignal } from '@preact/signals';
import { model } from '@reliability/scoring';
import { useEffect, useMemo } from 'preact/hooks';
import { type AnswerOf, get } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { Chart } from '../../kit/Chart.tsx';
import type { Span } from '../../kit/drawChart.ts';
import { formatDay, formatNumber } from '../../kit/format.ts';
import { once } from '../../kit/once.ts';
import { bandText, Chips } from '../../kit/parts.tsx';
import { type Loaded, Query, Skeleton, useQuery } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { language } from '../../kit/texts.ts';
import { type Basis, type Days, type Move, Moved } from './Moved.tsx';
import { StepOutcomes } from './StepOutcomes.tsx';
import { texts } from './texts.ts';

type Point = AnswerOf<'GET /users/{id}/score/course'>['points'][number];
type Step = 'day' | 'week' | 'month';

const STEPS: readonly Step[] = ['day', 'week', 'month'];
/** In days; null: the whole record. */
const PERIODS = { quarter: 90, year: 365, all: null };
const PERIOD_NAMES = Object.keys(PERIODS) as (keyof typeof PERIODS)[];
/** A course longer than this is shown from its end by a wider step. */
const MAX_PAGES = 6;
const DAY_MS = 86_400_000;

interface CourseProps {
  id: string;
  version: number;
  /** The largest move of 90 days, where the chart opens. */
  largest: Loaded<Move>;
}

/** The score over time, and what moved it in the part that is chosen. */
export function Course({ id, version, largest }: CourseProps) {
  const by: Basis = query.value.get('by') === 'recorded' ? 'recorded' : 'outcome';
  const step = STEPS.find((known) => known === query.value.get('step')) ?? null;
  const period = PERIOD_NAMES.find((known) => known === query.value.get('period')) ?? 'quarter';
  const days = PERIODS[period];
  const from = days === null ? null : dayOf(Date.now() - days * DAY_MS);
  const course = useQuery(
    (signal) => readCourse(id, { by, step, from }, signal),
    [id, by, step, from, version],
  );
  const set = (name: string, usual: string | null) => (value: string | null) =>
    setQuery({ [name]: value === usual ? null : value }, { replace: true });
  return (
    <section class="panel">
      <div class="filters">
        <h2>{texts.course}</h2>
        <Chips
          label={texts.period}
          options={PERIOD_NAMES}
          textOf={(value) => texts[value]}
          chosen={period}
          onChoose={set('period', 'quarter')}
        />
        <Chips
          label={texts.basis}
          options={['outcome', 'recorded']}
          textOf={(value) => (value === 'outcome' ? texts.byOutcome : texts.byRecorded)}
          chosen={by}
          onChoose={set('by', 'outcome')}
        />
        <Chips
          label={texts.step}
          options={STEPS}
          textOf={(value) => texts[value]}
          chosen={course.data?.step ?? step}
          onChoose={set('step', null)}
        />
      </div>
      <Query of={course} height={420}>
        {({ points, step: length }) => (
          <Chosen
            key={by}
            id={id}
            by={by}
            points={points}
            begin={beginOf(points, length, from)}
            largest={largest}
            version={version}
          />
        )}
      </Query>
    </section>
  );
}

interface Asked {
  by: Basis;
  step: Step | null;
  from: string | null;
}

async function readCourse(id: string, asked: Asked, signal: AbortSignal) {
  const read = (cursor?: string) =>
    get('GET /users/{id}/score/course', { params: { id }, query: { ...asked, cursor } }, signal);
  const first = await read();
  const points = [...first.points];
  let next = first.nextCursor;
  for (let page = 1; next !== null && page < MAX_PAGES; page += 1) {
    const more = await read(next);
    points.push(...more.points);
    next = more.nextCursor;
  }
  return { points, step: first.step };
}

interface ChosenProps extends CourseProps {
  by: Basis;
  points: readonly Point[];
  begin: Begin;
}

/** The end of the day before the first step, and whether nothing counted by then. */
interface Begin {
  day: string;
  isBlank: boolean;
}

const STEP_DAYS = { day: 1, week: 7, month: 31 };

/** @param from the day from which the course was asked for; null: all of it. */
function beginOf(points: readonly Point[], step: Step, from: string | null): Begin {
  const first = points[0] ? Date.parse(points[0].day) : Date.now();
  // The first point is the end of a step. If that is later than it had to be, the record begins with it.
  const asked = from === null ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const isBlank = first - asked >= STEP_DAYS[step] * DAY_MS;
  return { day: dayOf(isBlank ? first - STEP_DAYS[step] * DAY_MS : asked - DAY_MS), isBlank };
}

/** The chart with a part of it chosen: by mouse or finger, by keys, by the buttons. It is in the address. */
function Chosen({ id, by, points, begin, largest, version }: ChosenProps) {
  const chosen = useSignal(daysIn(query.peek()));
  useSaved(chosen.value);
  // Of the steps by recording the API knows no largest move.
  const largestKnown =
    by === 'recorded' || largest.failure ? largestStepOf(points, begin) : daysOf(largest.data);
  const days = chosen.value ?? largestKnown;
  const last = points.length - 1;
  const indexOf = (day: string) =>
    Math.max(
      0,
      points.findLastIndex((point) => point.day <= day),
    );
  const selected: Span | undefined = days ? [indexOf(days.from), indexOf(days.to)] : undefined;
  const choose = ([start, end]: Span) => {
    const [low, high] = start < end ? [start, end] : [end, start];
    const to = points[high]?.day ?? '';
    // Of one point: the step that ends there.
    const from = points[low === high ? high - 1 : low]?.day ?? begin.day;
    chosen.value = { from, to };
  };
  const drawn = useMemo(
    () => ({
      times: points.map(({ day }) => Date.parse(day) / 1000),
      series: [{ label: texts.score, values: points.map(({ finalScore }) => finalScore), isStepped: true }],
      ticks: points.map(({ outcomes }) => outcomes),
      zones: model.bands.map(({ band, minimum }) => ({ minimum, text: bandText(band), color: COLORS[band] })),
    }),
    [points, language.value],
  );
  const readWhole = useMemo(
    () => (by === 'outcome' ? once(() => readMove(id, begin.day, points[last]?.day)) : null),
    [points],
  );
  const known = by === 'outcome' && chosen.value === null ? largest.data : undefined;
  const end = selected?.[1] ?? last;
  return (
    <>
      <div class="course">
        <Chart
          label={texts.course}
          hint={texts.courseHint}
          {...drawn}
          range={[0, 100]}
          height={280}
          timeText={(seconds) => formatDay(new Date(seconds * 1000))}
          valueText={(value) => formatNumber(value, value % 1 === 0 ? 0 : 2)}
          tipOf={(index) => (
            <StepOutcomes
              read={readWhole}
              after={points[index - 1]?.day ?? begin.day}
              upTo={points[index]?.day ?? ''}
              count={points[index]?.outcomes ?? 0}
            />
          )}
          selected={selected}
          onSelect={choose}
        />
      </div>
      <p class="soft">{texts.courseHint}</p>
      <div class="actions">
        <h3>{texts.moved}</h3>
        <button
          type="button"
          onClick={() => choose([end - 1, end - 1])}
          disabled={end <= 0}
          aria-label={texts.previous}
        >
          ←
        </button>
        <button
          type="button"
          onClick={() => choose([end + 1, end + 1])}
          disabled={end >= last}
          aria-label={texts.next}
        >
          →
        </button>
        {chosen.value && (
          <Button text={texts.toLargest} class="quiet" onClick={() => (chosen.value = null)} />
        )}
      </div>
      {days ? (
        <Moved
          key={`${by} ${version}`}
          id={id}
          by={by}
          days={days}
          known={known}
          isFirst={begin.isBlank && days.from <= begin.day}
          count={countIn(points, days)}
        />
      ) : (
        <Skeleton height={160} />
      )}
    </>
  );
}

function readMove(id: string, from?: string, to?: string): Promise<Move> {
  return get('GET /users/{id}/score/change', { params: { id }, query: { from, to } });
}

const ADDRESS_PAUSE_MS = 350;

/** Writes the days into the address when the hand rests: Safari allows a hundred changes in half a minute. */
function useSaved(days: Days | null): void {
  useEffect(() => {
    const saved = daysIn(query.peek());
    if (saved?.from === days?.from && saved?.to === days?.to) return;
    const save = () => setQuery({ from: days?.from ?? null, to: days?.to ?? null }, { replace: true });
    const timer = setTimeout(save, ADDRESS_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [days?.from, days?.to]);
}

function daysIn(address: URLSearchParams): Days | null {
  const [from, to] = [address.get('from') ?? '', address.get('to') ?? ''];
  return DAY.test(from) && DAY.test(to) && from < to ? { from, to } : null;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function daysOf(move: Move | undefined): Days | null {
  return move ? { from: move.from.day, to: move.to.day } : null;
}

function largestStepOf(points: readonly Point[], begin: Begin): Days | null {
  const change = (index: number) =>
    Math.abs((points[index]?.finalScore ?? 0) - (points[index - 1]?.finalScore ?? 0));
  const index = points.reduce((best, _, each) => (each > 1 && change(each) > change(best) ? each : best), 1);
  const [before, after] = points.length > 1 ? [points[index - 1], points[index]] : [undefined, points[0]];
  return after ? { from: before?.day ?? begin.day, to: after.day } : null;
}

function countIn(points: readonly Point[], { from, to }: Days): number {
  return points.reduce((sum, { day, outcomes }) => (day > from && day <= to ? sum + outcomes : sum), 0);
}

/** A day of the service, in UTC. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const COLORS = {
  Excellent: '--band-excellent',
  Good: '--band-good',
  Fair: '--band-fair',
  Building: '--band-building',
  Unproven: '--band-unproven',
  'High Risk': '--band-risk',
};
