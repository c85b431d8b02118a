import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { type AnswerOf, get } from '../../kit/api.ts';
import { Chart } from '../../kit/Chart.tsx';
import { formatChange, formatDay, formatNumber } from '../../kit/format.ts';
import { Chips } from '../../kit/parts.tsx';
import { Query, useQuery } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { language } from '../../kit/texts.ts';
import { texts } from './texts.ts';

type Point = AnswerOf<'GET /users/{id}/score/course'>['points'][number];
type Explanation = AnswerOf<'GET /users/{id}/score/explain'>;
type Basis = 'outcome' | 'recorded';
type Step = 'day' | 'week' | 'month';

const STEPS: readonly Step[] = ['day', 'week', 'month'];
/** A course longer than this is shown from its end by a wider step. */
const MAX_PAGES = 6;
const PAUSE_MS = 120;

interface CourseProps {
  id: string;
  version: number;
}

/** The score over time, and what moved it in the step that is chosen. */
export function Course({ id, version }: CourseProps) {
  const by: Basis = query.value.get('by') === 'recorded' ? 'recorded' : 'outcome';
  const step = STEPS.find((known) => known === query.value.get('step')) ?? null;
  const course = useQuery((signal) => readCourse(id, by, step, signal), [id, by, step, version]);
  return (
    <section class="panel">
      <div class="filters">
        <h2>{texts.course}</h2>
        <Chips
          label={texts.basis}
          options={['outcome', 'recorded']}
          textOf={(value) => (value === 'outcome' ? texts.byOutcome : texts.byRecorded)}
          chosen={by}
          onChoose={(value) => setQuery({ by: value === 'recorded' ? value : null }, { replace: true })}
        />
        <Chips
          label={texts.step}
          options={STEPS}
          textOf={(value) => texts[value]}
          chosen={course.data?.step ?? step}
          onChoose={(value) => setQuery({ step: value }, { replace: true })}
        />
      </div>
      <Query of={course} height={420}>
        {({ points }) => <Stepped id={id} by={by} points={points} version={version} />}
      </Query>
    </section>
  );
}

async function readCourse(id: string, by: Basis, step: Step | null, signal: AbortSignal) {
  const read = (cursor?: string) =>
    get('GET /users/{id}/score/course', { params: { id }, query: { by, step, cursor } }, signal);
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

interface SteppedProps {
  id: string;
  by: Basis;
  points: readonly Point[];
  version: number;
}

/** The chart with one step chosen: by the mouse, by the arrow keys, by the buttons. */
function Stepped({ id, by, points, version }: SteppedProps) {
  const chosen = useSignal(points.length - 1);
  const index = Math.max(0, Math.min(chosen.value, points.length - 1));
  const drawn = useMemo(
    () => ({
      times: points.map(({ day }) => Date.parse(day) / 1000),
      series: [{ label: texts.score, values: points.map(({ finalScore }) => finalScore), isStepped: true }],
      ticks: points.map(({ outcomes }) => outcomes),
    }),
    [points, language.value],
  );
  const move = (steps: number) => (chosen.value = Math.max(0, Math.min(points.length - 1, index + steps)));
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (steps === 0 || event.target !== event.currentTarget) return;
    event.preventDefault();
    move(steps);
  };
  return (
    <>
      <div class="course" role="group" aria-label={texts.courseHint} tabIndex={0} onKeyDown={onKeyDown}>
        <Chart
          label={texts.course}
          {...drawn}
          range={[0, 100]}
          timeText={(seconds) => formatDay(new Date(seconds * 1000))}
          valueText={(value) => formatNumber(value, value % 1 === 0 ? 0 : 2)}
          marked={index}
          onChoose={(at) => (chosen.value = at)}
        />
      </div>
      <p class="soft">{texts.courseHint}</p>
      <div class="actions">
        <h3>{texts.moved}</h3>
        <button type="button" onClick={() => move(-1)} disabled={index <= 0} aria-label={texts.previous}>
          ←
        </button>
        <button
          type="button"
          onClick={() => move(1)}
          disabled={index >= points.length - 1}
          aria-label={texts.next}
        >
          →
        </button>
      </div>
      <Moved key={`${by} ${version}`} id={id} by={by} before={points[index - 1]} after={points[index]} />
    </>
  );
}

interface MovedProps {
  id: string;
  by: Basis;
  before: Point | undefined;
  after: Point | undefined;
}

/** The change of one step, split into the factors of the score. */
function Moved({ id, by, before, after }: MovedProps) {
  const known = useRef(new Map<string, Promise<Explanation>>());
  const change = useQuery(
    async (signal) => {
      // A held arrow key passes many steps: the one where it rests is asked for. The first one has no key to wait for.
      if (known.current.size > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      const explained = (asOf: string) => {
        const asked =
          known.current.get(asOf) ??
          get('GET /users/{id}/score/explain', { params: { id }, query: { asOf, by } }).catch(
            (error: unknown) => {
              known.current.delete(asOf);
              throw error;
            },
          );
        known.current.set(asOf, asked);
        return asked;
      };
      const [old, now] = await Promise.all([explained(before?.day ?? ''), explained(after?.day ?? '')]);
      return now.factors.map(({ name, contribution }) => ({
        name,
        delta: contribution - (old.factors.find((factor) => factor.name === name)?.contribution ?? 0),
      }));
    },
    [id, before?.day, after?.day],
    { isEnabled: before !== undefined && after !== undefined },
  );
  if (!after) return null;
  if (!before) return <p>{texts.firstStep}</p>;
  return (
    <div class="moved" aria-live="polite">
      <p>
        {texts.from(formatDay(before.day), formatNumber(before.finalScore, 2))}{' '}
        {texts.to(formatDay(after.day), formatNumber(after.finalScore, 2))}{' '}
        <strong>({formatChange(after.finalScore - before.finalScore)})</strong>.{' '}
        {texts.inStep(formatNumber(after.outcomes))}
      </p>
      <Query of={change} height={40}>
        {(factors) => (
          <dl class="factor-changes">
            {factors.map(({ name, delta }) => (
              <div key={name}>
                <dt>{texts[name]}</dt>
                <dd class={delta > 0.004 ? 'good' : delta < -0.004 ? 'bad' : 'soft'}>
                  {formatChange(delta)}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Query>
    </div>
  );
}
