import { text } from 'node:stream/consumers';
import { type Client, createClient } from '@reliability/client';
import { DAY_MS } from '../../../service/src/domain/timestamp.js';
import { csvStream, onePage } from '../../../service/src/kit/csv.js';
import type { Random } from '../../../service/src/kit/seededRandom.js';
import { endOf, makeBook, type Outcome, outcomeColumns } from './book.js';
import { demoPeople, type PlatformPlan } from './data.js';
import { answersOf, type Question } from './questions.js';
import type { SteppedService } from './steppedService.js';

export interface Living {
  service: SteppedService;
  /** A UTC midnight. */
  today: Date;
  random: Random;
  ask(question: Question): void;
}

export type LivingPlatform = Awaited<ReturnType<typeof openPlatform>>;

/** Records of one request. */
const AT_ONCE = 100;
/** A platform that lives through its year with a key of its own. */
export async function openPlatform(living: Living, plan: PlatformPlan, key: string | undefined) {
  const { service, today, random } = living;
  const client = createClient({ baseUrl: service.address, key });
  const { id: mappingId } = await client.saveMapping({ name: 'Jobs', mapping });
  const people = new Map((demoPeople[plan.key] ?? []).map((person) => [person.userId, person]));
  const unnamed = new Set(people.keys());
  let book = makeBook(plan, today);
  /** Breaches that their subjects will contest. */
  let wrongs: { eventId: string; at: number }[] = [];

  return { client, report, dispute, decide };

  /** In the evening of a workday: what has ended since the last time. */
  async function report(daysAgo: number): Promise<void> {
    const isByFile = plan.reports === 'fortnightly';
    if (isByFile && !isFileDay(service.now())) return;
    const told = take(({ isAsked }) => !isAsked);
    if (isByFile) await sendFile(told, daysAgo);
    else await send(told);
    await ask(take(({ isAsked }) => isAsked));
    const fresh = told.filter(({ userId }) => unnamed.delete(userId));
    await Promise.all(
      fresh.map(({ userId }) => client.updateUser(userId, { displayName: people.get(userId)?.name })),
    );
  }

  /** Those of the book that have ended by now. */
  function take(isWanted: (outcome: Outcome) => boolean): Outcome[] {
    const now = service.now().toISOString();
    const isDue = (outcome: Outcome) => isWanted(outcome) && endOf(outcome) <= now;
    const due = book.filter(isDue);
    book = book.filter((outcome) => !isDue(outcome));
    return due;
  }

  async function send(outcomes: readonly Outcome[]): Promise<void> {
    for (let from = 0; from < outcomes.length; from += AT_ONCE) {
      const sent = outcomes.slice(from, from + AT_ONCE);
      const records = sent.map((outcome) => ({ ...outcome }));
      const { results, failedCount } = await client.ingestRecords({ mappingId, records });
      if (failedCount > 0) throw new Error(`outcomes were refused: ${JSON.stringify(results)}`);
      for (const [index, { eventType, userId }] of sent.entries()) {
        const isTold = (people.get(userId)?.told.length ?? 0) > 0;
        const { eventId } = results[index] ?? {};
        if (eventType === plan.failed && eventId && !isTold && random.fraction() < 0.5)
          wrongs.push({ eventId, at: service.now().getTime() + random.whole(1, 5) * DAY_MS });
      }
    }
  }

  async function sendFile(outcomes: readonly Outcome[], daysAgo: number): Promise<void> {
    const { spoilt: told } = plan;
    const isSpoilt = told !== undefined && Math.floor(told.daysAgo / 14) === Math.floor(daysAgo / 14);
    const spoilt = isSpoilt ? told.rows : [];
    if (outcomes.length === 0) return;
    const columns = outcomeColumns.map((name) => ({ name, value: (row: Outcome) => row[name] ?? null }));
    const csv = await text(csvStream(columns, onePage(outcomes), { maxRows: outcomes.length }));
    const { id } = await client.createImport({
      mappingId,
      csv: csv + spoilt.map((row) => `${row}\r\n`).join(''),
    });
    await service.settle();
    const { status, failedCount } = await client.readImport(id);
    if (status !== 'COMPLETED' || failedCount !== spoilt.length)
      throw new Error(`a file ended as ${status}, with ${failedCount} refused rows`);
  }

  async function ask(outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const confirmations = outcomes.map(
      ({ eventType, stakeLevel, transactionValue, dueDate, completedAt, ...outcome }) => ({
        ...{ userId: outcome.userId, eventType, stakeLevel, transactionValue, dueDate, completedAt },
        counterpartyRef: `${plan.code}-${plan.customers.indexOf(outcome.customer)}`,
        counterpartyName: outcome.customer,
        description: outcome.job,
        metadata: { order: outcome.idempotencyKey },
      }),
    ) as Parameters<Client['createConfirmations']>[0]['confirmations'];
    const { results } = await client.createConfirmations({ confirmations });
    for (const [index, { confirmation, confirmationToken: token }] of results.entries()) {
      if (!confirmation || !token) throw new Error('a confirmation was refused');
      const by = outcomes[index]?.customer ?? '';
      for (const answer of answersOf('most', service.now(), random))
        living.ask({ kind: 'confirm', id: confirmation.id, token, by, ...answer });
    }
  }

  /** People contest breaches that they think are wrong. */
  async function dispute(): Promise<void> {
    const now = service.now().getTime();
    const due = wrongs.filter(({ at }) => at <= now);
    wrongs = wrongs.filter(({ at }) => at > now);
    const reason = 'The shift was cancelled by phone the day before.';
    for (const { eventId } of due) await client.fileDispute({ eventId, reason });
  }

  /** Of the disputes of more than five days some are decided; the others lapse. */
  async function decide(): Promise<void> {
    for await (const { id, openedAt } of client.listDisputes.each({ status: 'OPEN', limit: 100 })) {
      const ageDays = (service.now().getTime() - Date.parse(openedAt)) / DAY_MS;
      if (ageDays > 6 && random.fraction() < 0.35) await client.resolveDispute(id);
    }
  }
}

/** Every other Friday. */
function isFileDay(now: Date): boolean {
  return now.getUTCDay() === 5 && Math.floor(now.getTime() / DAY_MS / 7) % 2 === 0;
}

/** Each column has the name of its field. */
const mapping = {
  ...Object.fromEntries(outcomeColumns.filter((name) => name !== 'job').map((path) => [path, { path }])),
  metadata: { job: { path: 'job' }, order: { path: 'idempotencyKey' } },
} as unknown as Parameters<Client['saveMapping']>[0]['mapping'];
