import { z } from 'zod';
import { type UserRole, userRoles } from '#domain/catalogues/enums.js';
import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import { created, noContent, ok, type TypedAnswer } from '#kit/http/answer.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText } from '#kit/http/query.js';
import {
  type IdempotencyClaim,
  type KeyCaller,
  keyFor,
  type OperatorCaller,
  operator,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { recordActivity } from '#ledger/activity.js';
import { pageById } from '#ledger/reads/ownedRows.js';
import type { PlatformDeps } from '../platforms/changeKeys.js';
import { announceKeyChange } from '../platforms/keyStore.js';
import { assertNotReplaced, assertWithinCeiling, lockOwnKey } from '../platforms/keyTerms.js';
import { makerOf } from '../platforms/newKeys.js';
import { lockSettings } from '../platforms/store.js';
import {
  type ConsoleUser,
  countUsers,
  insertUser,
  lockUsers,
  recordRemovals,
  removeUsers,
  saveRole,
  scopesOfRole,
  USER_COLUMNS,
} from '../platforms/userStore.js';

const role = z.enum(userRoles);

const User = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role,
    createdAt: instant,
    createdBy: z.string(),
    lastSignedInAt: instant.nullable(),
  })
  .meta({ id: 'ConsoleUser' });

const UserPage = pageSchema('users', User).meta({ id: 'ConsoleUsers' });

const UserBody = z
  .object({
    email: z
      .string()
      .max(254, { abort: true })
      .refine((text) => z.email().safeParse(text).success, 'must be an email address such as ada@example.com')
      .meta({ format: 'email' }),
    role,
  })
  .meta({ id: 'NewConsoleUser' });

const RoleBody = z.object({ role }).meta({ id: 'ConsoleUserRole' });

const UserQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });
const userPath = z.object({ id: pathText() });
const operatorsUserPath = z.object({ userId: pathText() });

/** Everybody who signs in is listed. More are a directory, which the issuer has. */
const MAX_USERS = 1000;

type Actor = KeyCaller | OperatorCaller;

/** Who may sign in to the console, and as what (RULES K18, K19). */
export function userRoutes(deps: PlatformDeps): RouteTable {
  const platforms = {
    access: keyFor('admin'),
    tag: 'Platform',
    errors: ['TEST_MODE_NOT_ALLOWED'],
    // The user in the path is no subject.
    answersErased: true,
  } as const;
  const onPlatforms = {
    ...platforms,
    params: userPath,
    errors: ['TEST_MODE_NOT_ALLOWED', 'NOT_FOUND', 'SCOPE_CEILING_EXCEEDED', 'FORBIDDEN'] as const,
  };
  const operators = { access: operator, tag: 'Operator', answersErased: true } as const;
  const onOperators = { ...operators, params: operatorsUserPath, errors: ['NOT_FOUND'] as const };
  return {
    'GET /platform/users': route({
      operationId: 'listConsoleUsers',
      ...platforms,
      query: UserQuery,
      answers: { 200: UserPage },
      handle: async ({ caller, query }) => ok(await listUsers(deps, caller, query)),
    }),
    'POST /platform/users': route({
      operationId: 'addConsoleUser',
      ...platforms,
      idempotent: true,
      body: UserBody,
      answers: { 201: User },
      errors: ['TEST_MODE_NOT_ALLOWED', 'CONFLICT', 'SCOPE_CEILING_EXCEEDED', 'FORBIDDEN'],
      handle: ({ caller, body, claim }) => addUser(deps, caller, body, claim),
    }),
    'PATCH /platform/users/{id}': route({
      operationId: 'updateConsoleUser',
      ...onPlatforms,
      body: RoleBody,
      answers: { 200: User },
      handle: async ({ caller, params, body }) => ok(await changeRole(deps, caller, params.id, body.role)),
    }),
    'DELETE /platform/users/{id}': route({
      operationId: 'removeConsoleUser',
      ...onPlatforms,
      answers: { 204: null },
      async handle({ caller, params }) {
        await removeUser(deps, caller, params.id);
        return noContent();
      },
    }),
    'GET /admin/users': route({
      operationId: 'adminListConsoleUsers',
      ...operators,
      query: UserQuery,
      answers: { 200: UserPage },
      handle: async ({ caller, query }) => ok(await listUsers(deps, caller, query)),
    }),
    'POST /admin/users': route({
      operationId: 'adminAddConsoleUser',
      ...operators,
      idempotent: true,
      body: UserBody,
      answers: { 201: User },
      errors: ['CONFLICT'],
      handle: ({ caller, body, claim }) => addUser(deps, caller, body, claim),
    }),
    'PATCH /admin/users/{userId}': route({
      operationId: 'adminUpdateConsoleUser',
      ...onOperators,
      body: RoleBody,
      answers: { 200: User },
      handle: async ({ caller, params, body }) =>
        ok(await changeRole(deps, caller, params.userId, body.role)),
    }),
    'DELETE /admin/users/{userId}': route({
      operationId: 'adminRemoveConsoleUser',
      ...onOperators,
      answers: { 204: null },
      async handle({ caller, params }) {
        await removeUser(deps, caller, params.userId);
        return noContent();
      },
    }),
  };
}

/** Null: the operator. A person in a session may look at either mode, a test key is given to others. */
function placeOf(actor: Actor): string | null {
  if (actor.kind === 'operator') return null;
  if (!actor.livemode && !actor.isUser) {
    fail('TEST_MODE_NOT_ALLOWED', {
      message: 'Users of the console see live data, so a test key cannot read or change them.',
    });
  }
  return actor.platformId;
}

async function listUsers({ db }: PlatformDeps, actor: Actor, query: z.output<typeof UserQuery>) {
  const select = `select ${USER_COLUMNS} from console_user where platform_id is not distinct from $1::uuid`;
  const page = await pageById<ConsoleUser>(db.shared, select, 'user_id', [placeOf(actor)], query);
  return { users: page.rows, nextCursor: page.nextCursor };
}

/** Keys and users are created under a shared lock of their platform: see findDescendants. */
async function lockPlatformOf(shared: Tx, actor: Actor): Promise<void> {
  if (actor.kind === 'key') await lockSettings(shared, actor.platformId);
}

/** Who acts must be able to do what the role can (RULES K4). Locks what that depends on. */
async function assertMayGrant(shared: Tx, now: Date, actor: Actor, granted: UserRole): Promise<void> {
  if (actor.kind === 'operator') return;
  const own = await lockOwnKey(shared, now, actor);
  assertNotReplaced(own);
  assertWithinCeiling(own, { scopes: scopesOfRole(granted), allowedCidrs: [] });
}

async function addUser(
  { clock, ids, log, withIdempotency }: PlatformDeps,
  actor: Actor,
  { email: given, role }: z.output<typeof UserBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, ConsoleUser>> {
  const platformId = placeOf(actor);
  const now = clock.now();
  const email = given.toLowerCase();
  const createdBy = makerOf(actor.actor);
  const user: ConsoleUser = { id: ids.at(now), email, role, createdAt: now, createdBy, lastSignedInAt: null };
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    await tx.inShared(async (shared) => {
      await lockPlatformOf(shared, actor);
      await assertMayGrant(shared, now, actor, role);
      if ((await countUsers(shared, platformId)) >= MAX_USERS)
        fail('CONFLICT', { message: `There are ${MAX_USERS} users already. Remove one first.` });
      if (!(await insertUser(shared, platformId, user)))
        fail('CONFLICT', { message: 'There is a user with this email address already.' });
    });
    if (platformId !== null) {
      const facts = {
        id: ids.at(now),
        platformId,
        livemode: true,
        actor: actor.actor,
        target: user.id,
        at: now,
      };
      await recordActivity(tx, { ...facts, action: 'CONSOLE_USER_ADDED', details: { email, role } });
    }
    return created(user);
  });
  noteOperators(log, actor, { added: email, role });
  return answer;
}

/** Ends the sessions of the user. */
async function changeRole(
  { db, clock, ids, log, forgetKeys }: PlatformDeps,
  actor: Actor,
  id: string,
  role: UserRole,
): Promise<ConsoleUser> {
  const platformId = placeOf(actor);
  const now = clock.now();
  const { before, user } = await db.transaction(async (tx) => {
    const { before, user } = await tx.inShared(async (shared) => {
      const before = await lockUser(shared, now, actor, id, role);
      if (before.role === role) return { before, user: before };
      const user = { ...before, role };
      await saveRole(shared, user);
      await announceKeyChange(shared);
      return { before, user };
    });
    if (platformId !== null && user !== before) {
      const details = { email: user.email, role: { from: before.role, to: role } };
      const facts = {
        id: ids.at(now),
        platformId,
        livemode: true,
        actor: actor.actor,
        target: user.id,
        at: now,
      };
      await recordActivity(tx, { ...facts, action: 'CONSOLE_USER_CHANGED', details });
    }
    return { before, user };
  });
  forgetKeys();
  if (user !== before) noteOperators(log, actor, { changed: user.email, role });
  return user;
}

/** Ends the sessions of the user. */
async function removeUser(
  { db, clock, ids, log, forgetKeys }: PlatformDeps,
  actor: Actor,
  id: string,
): Promise<void> {
  const platformId = placeOf(actor);
  const now = clock.now();
  const users = await db.transaction(async (tx) => {
    const users = await tx.inShared(async (shared) => {
      const user = await lockUser(shared, now, actor, id, null);
      await announceKeyChange(shared);
      return removeUsers(shared, platformId, [user.id]);
    });
    if (platformId !== null) await recordRemovals(tx, ids, { platformId, actor: actor.actor }, users, now);
    return users;
  });
  forgetKeys();
  for (const { email, role } of users) noteOperators(log, actor, { removed: email, role });
}

/**
 * The user to change. Who acts must be able to grant the role that the user has, and the new one.
 * @param role null: the user is removed, which every administrator may do. Throws NOT_FOUND.
 */
async function lockUser(
  shared: Tx,
  now: Date,
  actor: Actor,
  id: string,
  role: UserRole | null,
): Promise<ConsoleUser> {
  const platformId = placeOf(actor);
  await lockPlatformOf(shared, actor);
  // With the own user, in one order: two people may change each other at the same moment.
  const own = actor.kind === 'key' && actor.isUser ? [actor.keyId] : [];
  const users = isUuid(id) ? await lockUsers(shared, platformId, [...own, id]) : [];
  const user = users.find((each) => each.id === id.toLowerCase());
  if (!user) return fail('NOT_FOUND', { message: 'There is no user with this id.' });
  if (role !== null) await assertMayGrant(shared, now, actor, role);
  else if (actor.kind === 'key') assertNotReplaced(await lockOwnKey(shared, now, actor));
  return user;
}

/** The operator has no activity log: the log of the process says who changed what. */
function noteOperators(log: PlatformDeps['log'], { kind, actor }: Actor, change: object): void {
  if (kind === 'operator') log.info({ actor, ...change }, 'the users of the operator were changed');
}
