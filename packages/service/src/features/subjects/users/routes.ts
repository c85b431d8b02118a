import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import { CSV_TYPE } from '#kit/csv.js';
import type { Queryable } from '#kit/db/database.js';
import { pick } from '#kit/db/rows.js';
import { ok } from '#kit/http/answer.js';
import { keyFor, operator, type RouteTable, route } from '#kit/http/route.js';
import { knownPlatforms, platformIn } from '#ledger/groups/platforms.js';
import { findLiveSubject, recordThaw, thawRecord } from '#ledger/recompute/freezes.js';
import { addressedSubjectId } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type BookDeps, listBook, summarizeBook } from './book.js';
import {
  BookPage,
  BookQuery,
  BookSummary,
  BookSummaryQuery,
  FrozenScores,
  VelocityQuery,
  VelocityResolved,
} from './schemas.js';

export function userRoutes(deps: BookDeps & VelocityDeps): RouteTable {
  return {
    'GET /users': route({
      operationId: 'listUsers',
      access: keyFor('scores'),
      tag: 'Users',
      query: BookQuery,
      queryError: (path) => (path === 'format' ? 'BOOK_FORMAT_INVALID' : 'BOOK_QUERY_INVALID'),
      answers: { 200: { json: BookPage, media: [{ type: CSV_TYPE }] } },
      errors: ['BOOK_QUERY_INVALID', 'BOOK_FORMAT_INVALID'],
      handle: ({ owner, query }) => listBook(deps, owner, query),
    }),
    'GET /users/summary': route({
      operationId: 'summarizeUsers',
      access: keyFor('scores'),
      tag: 'Users',
      query: BookSummaryQuery,
      queryError: () => 'BOOK_QUERY_INVALID',
      answers: { 200: BookSummary },
      errors: ['BOOK_QUERY_INVALID'],
      handle: async ({ owner, query }) => ok(await summarizeBook(deps, owner, query)),
    }),
    'GET /admin/frozen-scores': route({
      operationId: 'adminListFrozenScores',
      access: operator,
      tag: 'Operator',
      answers: { 200: FrozenScores },
      joinGroups: (answers) => ok(joinFrozenScores(answers.map(({ body }) => body as FrozenScores))),
      handle: async () => ok(await listFrozenScores(deps.db)),
    }),
    'POST /admin/users/{id}/resolve-velocity-flag': route({
      operationId: 'adminResolveVelocityFlag',
      access: operator,
      tag: 'Operator',
      params: userPath,
      query: VelocityQuery,
      groupOf: ({ params, query }, directory) =>
        directory.ofSubject(addressedSubjectId({ ...query, id: params.id, livemode: true })),
      answers: { 200: VelocityResolved },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ caller, params, query }) =>
        ok(await resolveVelocityFlag(deps, { id: params.id, platformId: query.platformId }, caller.actor)),
    }),
  };
}

/** More at once than an operator reads. The next ones appear when these are cleared. */
const MAX_FROZEN_LISTED = 200;

/** Live scores that the velocity guard holds, longest first. */
async function listFrozenScores(db: Queryable): Promise<FrozenScores> {
  const rows = await db.query<Omit<FrozenScores['frozenScores'][number], 'platformName'>>(
    `select s.platform_id, s.external_id as user_id, s.frozen_at, s.final_score, s.score_band, s.own_events as total_events
     from score s
     where s.frozen_at is not null and s.livemode order by s.frozen_at, s.subject_id limit $1`,
    [MAX_FROZEN_LISTED + 1],
  );
  const known = await knownPlatforms(db, rows);
  const frozenScores = rows.map((row) => ({ ...row, platformName: platformIn(known, row.platformId).name }));
  return joinFrozenScores([{ frozenScores, truncated: false }]);
}

/** The lists of several groups as one. */
function joinFrozenScores(lists: readonly FrozenScores[]): FrozenScores {
  const all = lists
    .flatMap(({ frozenScores }) => frozenScores)
    .sort((a, b) => a.frozenAt.getTime() - b.frozenAt.getTime());
  const truncated = all.length > MAX_FROZEN_LISTED || lists.some((list) => list.truncated);
  return { frozenScores: all.slice(0, MAX_FROZEN_LISTED), truncated };
}

type VelocityDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'wakes'>;

/**
 * POST /admin/users/{id}/resolve-velocity-flag: thaws the score of the whole record and restarts
 * the guard's count. Each platform gets an activity entry about its own subject. A repetition
 * changes nothing.
 */
async function resolveVelocityFlag(
  deps: VelocityDeps,
  address: { id: string; platformId: string | undefined },
  actor: string,
): Promise<VelocityResolved> {
  const found = addressedSubjectId({ ...address, livemode: true });
  const { frozen, externalId, ...subject } = await deps.db.transaction(async (tx) => {
    const live = await findLiveSubject(tx, found);
    if (!live) return fail('USER_NOT_FOUND', { message: 'No live subject has this id.' });
    const now = deps.clock.now();
    const frozen = await thawRecord(tx, live.subjectId, now);
    await recordThaw(tx, deps, frozen, now, actor);
    return { ...pick(live, 'externalId', 'subjectId', 'platformId'), frozen };
  });
  if (frozen.length > 0) deps.wakes.raise('scores');
  const frozenSince = frozen[0]?.frozenAt ?? null;
  return { userId: externalId, ...subject, cleared: frozen.length > 0, frozenSince };
}
