import type { ComponentChildren } from 'preact';
import { type AnswerOf, get } from '../../kit/api.ts';
import { healthOf } from '../../kit/endpointHealth.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { Moment, Panel } from '../../kit/parts.tsx';
import { Query, useQuery } from '../../kit/Query.tsx';
import { may } from '../../kit/session.ts';
import { texts } from './texts.ts';

/** Something that somebody has to act on. */
interface Item {
  id: string;
  /** The view that shows it. */
  to: string;
  name: () => string;
  /** What is wrong with it, or until when there is time. */
  state: () => ComponentChildren;
}

/** Reads the open disputes, once for all panels of the overview. */
export type ReadDisputes = () => Promise<AnswerOf<'GET /disputes'>>;

/** A source of items, the most urgent first. */
type Source = (signal: AbortSignal, readDisputes: ReadDisputes) => Promise<Item[]>;

/** In the order in which they are shown. */
const SOURCES: readonly { isOpen: () => boolean; load: Source }[] = [
  { isOpen: () => may('events', 'read'), load: overdueReviews },
  { isOpen: () => may('events', 'read'), load: endingDisputes },
  { isOpen: () => may('webhooks', 'read'), load: failingEndpoints },
];

const SHOWN = 10;

/** What needs attention, at the top of the overview. */
export function NeedsAttention({ readDisputes }: { readDisputes: ReadDisputes }) {
  const items = useQuery(async (signal) => {
    const open = SOURCES.filter(({ isOpen }) => isOpen());
    return (await Promise.all(open.map(({ load }) => load(signal, readDisputes)))).flat();
  }, []);
  const count = items.data?.length ?? 0;
  return (
    <Panel title={count > 0 ? `${texts.attention} · ${formatNumber(count)}` : texts.attention}>
      <Query of={items} height={60} isEmpty={(all) => all.length === 0} empty={<p>{texts.nothingWaits}</p>}>
        {(all) => (
          <>
            <ul class="entries brief">
              {all.slice(0, SHOWN).map(({ id, to, name, state }) => (
                <li key={id}>
                  <Link to={to} title={name()}>
                    <bdi>{name()}</bdi>
                  </Link>
                  <span>{state()}</span>
                </li>
              ))}
            </ul>
            {all.length > SHOWN && <p class="soft">{texts.andMore(all.length - SHOWN)}</p>}
          </>
        )}
      </Query>
    </Panel>
  );
}

export const OPEN = { status: 'OPEN', sort: 'deadline', limit: 100 };
/** Reviews that nobody answered in time: a person waits. */
async function overdueReviews(signal: AbortSignal): Promise<Item[]> {
  const { reviews } = await get('GET /reviews', { query: OPEN }, signal);
  return reviews
    .filter(({ overdue }) => overdue)
    .map(({ id, userId, respondBy }) => ({
      id,
      to: `/inbox?of=reviews&review=${id}`,
      name: () => userId,
      state: () => (
        <span class="bad">
          {texts.reviewOverdue} <Moment at={respondBy} distance />
        </span>
      ),
    }));
}

/** From so long before its deadline on a dispute needs attention. */
const SOON_MS = 2 * 86_400_000;

/** Open disputes whose deadline is over or near. After it they end for the subject. */
async function endingDisputes(_: AbortSignal, readDisputes: ReadDisputes): Promise<Item[]> {
  const { disputes } = await readDisputes();
  return disputes
    .filter(({ overdue, respondBy }) => overdue || Date.parse(respondBy) - Date.now() < SOON_MS)
    .map(({ id, userId, event, overdue, respondBy }) => ({
      id,
      to: `/inbox?of=disputes&dispute=${id}`,
      name: () => `${userId} · ${wordsFor('eventType', event.eventType)}`,
      state: () => (
        <span class={overdue ? 'bad' : 'warn'}>
          {overdue ? texts.disputeOverdue : texts.disputeEnds} <Moment at={respondBy} distance />
        </span>
      ),
    }));
}

/** A platform has at most 50 endpoints in each mode. */
const LIMIT = { limit: 100 };
export const HOURS = { hours: 24 };

/** Endpoints that fail, with their share of errors, and those that the service switched off. */
async function failingEndpoints(signal: AbortSignal): Promise<Item[]> {
  const [{ webhooks }, { endpoints }] = await Promise.all([
    get('GET /webhooks', { query: LIMIT }, signal),
    get('GET /webhooks/attempts', { query: HOURS }, signal),
  ]);
  const hours = new Map(endpoints.map((attempts) => [attempts.webhookId, attempts]));
  return webhooks
    .map((webhook) => ({ webhook, health: healthOf(webhook, hours.get(webhook.id)) }))
    .filter(({ health: { state } }) => state !== 'active' && state !== 'paused')
    .sort((a, b) => (b.health.errorShare ?? 1) - (a.health.errorShare ?? 1))
    .map(({ webhook: { id, url, failingSince }, health: { state, errorShare, attempts } }) => ({
      id,
      to: `/webhooks?endpoint=${id}`,
      name: () => url,
      state: () => (
        <span class="bad">
          {state === 'failing' ? texts.failing : texts.disabled}
          {errorShare !== null &&
            `: ${texts.errorShare(formatPercent(errorShare, errorShare < 0.1 ? 1 : 0), formatNumber(attempts))}`}
          {failingSince && (
            <>
              {' · '}
              {texts.since} <Moment at={failingSince} distance />
            </>
          )}
        </span>
      ),
    }));
}
