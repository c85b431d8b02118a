import type { Client } from '@reliability/client';
import { DAY_MS, HOUR_MS } from '../../../service/src/domain/timestamp.js';
import type { Act } from './data.js';
import type { Living, LivingPlatform } from './platform.js';
import { answersOf } from './questions.js';

/** The answers of acts with a name. */
export type Answered = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Call = (...args: readonly unknown[]) => Promise<Record<string, unknown>>;

/** @param receiver address of the receiver of webhooks */
export function createStory(
  living: Living,
  platforms: ReadonlyMap<string, LivingPlatform>,
  receiver: string,
) {
  const { service, today, random } = living;
  const answered: Record<string, Record<string, unknown>> = {};
  return { answered: answered as Answered, perform };

  async function perform({ on, call, args = [], as, answers, flood, objects }: Act): Promise<void> {
    const client = platforms.get(on)?.client;
    if (!client) throw new Error(`the story names an unknown platform: ${on}`);
    if (flood) await sendAtOnce(client, flood, service.now());
    if (objects && as !== undefined)
      answered[as] = await object(service, String(answered[objects.link]?.url), objects);
    if (call === undefined) return;
    const operation = client[call as keyof Client] as unknown as Call;
    const answer = await operation(...args.map(filled));
    if (as !== undefined) answered[as] = answer;
    if (answers) for (const asked of askedIn(answer)) ask(asked, answers);
  }

  function ask({ by, ...asked }: Asked, answers: NonNullable<Act['answers']>): void {
    for (const answer of answersOf(answers, service.now(), random)) living.ask({ ...asked, by, ...answer });
  }

  /** With `{…}` replaced: `{receiver}`, `{day:5}`, members of answers. */
  function filled(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value === 'string') return value.replace(/\{([\w:.]+)\}/g, (_, name: string) => textOf(name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member)]));
  }

  function textOf(name: string): string {
    if (name === 'receiver') return receiver;
    const [, days] = /^day:(\d+)$/.exec(name) ?? [];
    if (days !== undefined)
      return new Date(today.getTime() - Number(days) * DAY_MS + 20 * HOUR_MS).toISOString();
    const [act = '', member = ''] = name.split('.');
    return String(answered[act]?.[member]);
  }
}

/** As the page of the record link does, on the phone of its subject. Returns the review. */
async function object(
  { address }: Living['service'],
  link: string,
  { about, text }: NonNullable<Act['objects']>,
): Promise<Record<string, unknown>> {
  const page = address + new URL(link).pathname;
  const read = await fetch(page, { headers: { accept: 'application/json' } });
  const { outcomes } = (await read.json()) as {
    outcomes: { eventId: string; eventType: string; reviewId: unknown }[];
  };
  const eventId = outcomes.find(
    ({ eventType, reviewId }) => eventType === about && reviewId === null,
  )?.eventId;
  const body = JSON.stringify({ eventId, text });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${page}/reviews`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(`an objection was answered ${answer.status}`);
  return ((await answer.json()) as { review: Record<string, unknown> }).review;
}

interface Asked {
  kind: 'confirm' | 'reference';
  id: string;
  token: string;
  by: string;
}

/** The questions of a reference or a campaign. */
function askedIn({ reference, referenceToken, results }: Record<string, unknown>): Asked[] {
  if (referenceToken !== undefined) {
    const { id, counterpartyRef } = reference as { id: string; counterpartyRef: string };
    return [{ kind: 'reference', id, token: String(referenceToken), by: counterpartyRef }];
  }
  const rows = results as { rowKey: string; confirmationId?: string; confirmationToken?: string }[];
  return rows.map(({ rowKey, confirmationId: id, confirmationToken: token }) => {
    if (!id || !token) throw new Error(`the row ${rowKey} of a campaign was refused`);
    return { kind: 'confirm', id, token, by: rowKey };
  });
}

const AT_ONCE = 100;
const FLOOD_DAYS = 300;

/** A script sends a year of jobs by POST /events, which takes them for the work of one hour. */
async function sendAtOnce(client: Client, { userId, outcomes }: NonNullable<Act['flood']>, now: Date) {
  const events = Array.from({ length: outcomes }, (_, index) => ({
    userId,
    eventType: 'CONTRACT_FULFILLED' as const,
    stakeLevel: 'LOW' as const,
    completedAt: new Date(now.getTime() - (1 + (index * FLOOD_DAYS) / outcomes) * DAY_MS).toISOString(),
    idempotencyKey: `replay-${userId}-${index + 1}`,
  }));
  for (let from = 0; from < events.length; from += AT_ONCE)
    await client.recordEvents({ events: events.slice(from, from + AT_ONCE) });
}
