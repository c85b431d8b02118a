import type { Client } from '@reliability/client';
import { DAY_MS, HOUR_MS } from '../../../service/src/domain/timestamp.js';
import { seededRandom } from '../../../service/src/kit/seededRandom.js';
import { YEAR_DAYS } from './book.js';
import { demoPlatforms, demoStory } from './data.js';
import { openPlatform } from './platform.js';
import { answerPage, type Question } from './questions.js';
import type { SteppedService } from './steppedService.js';
import { createStory } from './story.js';

interface YearOptions {
  service: SteppedService;
  operator: Client;
  /** Live keys, by the key of the platform. */
  keys: Readonly<Record<string, string>>;
  /** Address of the receiver of webhooks. */
  receiver: string;
  /** When the year ends. */
  now: Date;
  /** Called after each day. */
  onDay(): void;
}

/** What happens at a moment of a day. */
type Moment = readonly [at: number, run: () => Promise<unknown>];

/** Last of the day: what was computed is in the log before the next one. */
const NIGHT_MS = 23 * HOUR_MS;
const CHECK_MS = 8 * HOUR_MS;
const MORNING_MS = 9 * HOUR_MS;
const REPORTS_MS = 18.5 * HOUR_MS;
const CHECK_DAYS = 6;
const DAILY_REPORTS = 60;
/** Days in which deliveries that failed are repeated. */
const RETRY_DAYS = 2;
const RETRY_MS = 2 * HOUR_MS;

/**
 * Lives through a year of two platforms, day by day: everything goes through the API and the hosted
 * pages of a service whose clock stands at the moment of each act. Returns the named answers of the story.
 */
export async function liveYear(options: YearOptions) {
  const { service, operator, keys, receiver, now, onDay } = options;
  const today = new Date(now.toISOString().slice(0, 10));
  const random = seededRandom(today.getUTCDate());
  const questions: Question[] = [];
  const context = { service, today, random, ask: (question: Question) => questions.push(question) };
  const platforms = new Map(
    await Promise.all(
      demoPlatforms.map(
        async (plan) => [plan.key, await openPlatform(context, plan, keys[plan.key])] as const,
      ),
    ),
  );
  const story = createStory(context, platforms, receiver);
  const acts = [...demoStory];

  for (let daysAgo = YEAR_DAYS; daysAgo >= 0; daysAgo -= 1) {
    for (const [at, run] of momentsOf(daysAgo)) {
      if (at > now.getTime()) break;
      await service.moveTo(new Date(at));
      await run();
    }
    onDay();
  }
  await service.moveTo(now);
  for (const sweep of ['disputes', 'expiry', 'benchmarks', 'retention']) await operator.adminRunSweep(sweep);
  return story.answered;

  function momentsOf(daysAgo: number): Moment[] {
    const midnight = today.getTime() - daysAgo * DAY_MS;
    const moments: Moment[] = isReportDay(daysAgo, midnight)
      ? [
          [midnight + MORNING_MS, morning],
          [midnight + REPORTS_MS, () => each((platform) => platform.report(daysAgo))],
        ]
      : [];
    if (daysAgo % CHECK_DAYS === 0) moments.push([midnight + CHECK_MS, check]);
    if (ages(daysAgo)) moments.push([midnight + NIGHT_MS, () => operator.adminRunSweep('decay')]);
    while (acts[0] && acts[0].daysAgo > daysAgo - 1) {
      const act = acts.shift() as (typeof acts)[number];
      moments.push([today.getTime() - act.daysAgo * DAY_MS, () => story.perform(act)]);
    }
    for (let ms = 0; daysAgo <= RETRY_DAYS && ms < DAY_MS; ms += RETRY_MS)
      moments.push([midnight + ms, async () => {}]);
    return moments.sort(([one], [other]) => one - other);
  }

  async function morning(): Promise<void> {
    const isDue = ({ at }: Question) => at <= service.now();
    const due = questions.filter(isDue);
    questions.splice(0, questions.length, ...questions.filter((question) => !isDue(question)));
    await Promise.all(due.map((question) => answerPage(service, question)));
    await each((platform) => platform.dispute());
  }

  /** Runs what the service runs by its schedule, and decides disputes. */
  async function check(): Promise<void> {
    for (const sweep of ['disputes', 'reminders', 'expiry']) await operator.adminRunSweep(sweep);
    await each((platform) => platform.decide());
  }

  function each(act: (platform: Awaited<ReturnType<typeof openPlatform>>) => Promise<unknown>) {
    return Promise.all([...platforms.values()].map(act));
  }
}

/** Whether scores change by ageing alone: each day of late, and once a month before, which is what retention leaves. */
function ages(daysAgo: number): boolean {
  return daysAgo % 30 === 0 || daysAgo <= 31;
}

/** Two days a week at first, each workday of late. */
function isReportDay(daysAgo: number, midnight: number): boolean {
  const weekday = new Date(midnight).getUTCDay();
  return daysAgo < DAILY_REPORTS ? weekday >= 1 && weekday <= 5 : [2, 5].includes(weekday);
}
