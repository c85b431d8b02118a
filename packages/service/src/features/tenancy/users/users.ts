import { z } from 'zod';
import { type UserRole, userRoles } from '#domain/catalogues/enums.js';
import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import { created, noContent, ok, type TypedAnswer } from '#kit/http/answer.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText } from '#kit/http/query.js';
import {
  type IdempotencyClaim,
  type KeyAccess,
  type KeyCaller,
  keyFor,
  type OperatorCaller,
  operator,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
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
  recordUsers,
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

/** Everybody who signs in is listed. More are a directory, which the issuer has. */
const MAX_USERS = 1000;

type Actor = KeyCaller | OperatorCaller;

/** Who may sign in to the console, and as what (RULES K18, K19). */
export function userRoutes(deps: PlatformDeps): RouteTable {
  return {
    ...routesAt('/platform/users', 'id', keyFor('admin')),
    // `/admin/users/{id}` begins the paths of subjects.
    ...routesAt('/admin/users', 'userId', operator),
  };

  function routesAt(path: string, idName: string, access: KeyAccess | typeof operator): RouteTable {
    const isKeys = access.kind === 'key';
    const named = (verb: string, noun: string) =>
      `${isKeys ? verb : `admin${verb.charAt(0).toUpperCase()}${verb.slice(1)}`}${noun}`;
    const own = {
      access,
      tag: isKeys ? 'Platform' : 'Operator',
      // The user in the path is no subject.
      answersErased: true,
    } as const;
    const inMode = isKeys ? (['TEST_MODE_NOT_ALLOWED'] as const) : [];
    const granted = isKeys ? ([...inMode, 'SCOPE_CEILING_EXCEEDED', 'FORBIDDEN'] as const) : [];
    const params = z.object({ [idName]: pathText() });
    const onOne = { ...own, params, errors: [...granted, 'NOT_FOUND'] as const };
    return {
      [`GET ${path}`]: route({
        operationId: named('list', 'ConsoleUsers'),
        ...own,
        query: UserQuery,
        answers: { 200: UserPage },
        errors: inMode,
        handle: async ({ caller, query }) => ok(await listUsers(deps, caller, query)),
      }),
      [`POST ${path}`]: route({
        operationId: named('add', 'ConsoleUser'),
        ...own,
        idempotent: true,
        body: UserBody,
        answers: { 201: User },
        errors: [...granted, 'CONFLICT'],
        handle: ({ caller, body, claim }) => addUser(deps, caller, body, claim),
      }),
      [`PATCH ${path}/{${idName}}`]: route({
        operationId: named('update', 'ConsoleUser'),
        ...onOne,
        body: RoleBody,
        answers: { 200: User },
        handle: async ({ caller, params: { [idName]: id = '' }, body }) =>
          ok(await changeUser(deps, caller, id, body.role)),
      }),
      [`DELETE ${path}/{${idName}}`]: route({
        operationId: named('remove', 'ConsoleUser'),
        ...onOne,
        answers: { 204: null },
        async handle({ caller, params: { [idName]: id = '' } }) {
          await changeUser(deps, caller, id, null);
          return noContent();
        },
      }),
    };
  }
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

async function addUser(
  deps: PlatformDeps,
  actor: Actor,
  { email: given, role }: z.output<typeof UserBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, ConsoleUser>> {
  const place = placeOf(actor);
  const now = deps.clock.now();
  const email = given.toLowerCase();
  const createdBy = makerOf(actor.actor);
  const user = { id: deps.ids.at(now), email, role, createdAt: now, createdBy, lastSignedInAt: null };
  return deps.withIdempotency(claim, { now }, async (tx) => {
    await tx.inShared(async (shared) => {
      await lockPlatformOf(shared, actor);
      await assertMayGrant(shared, now, actor, role);
      if ((await countUsers(shared, place)) >= MAX_USERS)
        fail('CONFLICT', { message: `There are ${MAX_USERS} users already. Remove one first.` });
      if (!(await insertUser(shared, place, user)))
        fail('CONFLICT', { message: 'There is a user with this email address already.' });
    });
    await note(tx, deps, actor, 'CONSOLE_USER_ADDED', user, now);
    return created(user);
  });
}

/** Ends the sessions of the user. @param role null: removes the user. Throws NOT_FOUND. */
async function changeUser(
  deps: PlatformDeps,
  actor: Actor,
  id: string,
  role: UserRole | null,
): Promise<ConsoleUser> {
  const place = placeOf(actor);
  const now = deps.clock.now();
  const user = await deps.db.transaction(async (tx) => {
    const before = await tx.inShared(async (shared) => {
      await lockPlatformOf(shared, actor);
      const found = await lockUser(shared, actor, id);
      await assertMayGrant(shared, now, actor, role);
      if (found.role === role) return found;
      if (role === null) await removeUsers(shared, place, [found.id]);
      else await saveRole(shared, { id: found.id, role });
      await announceKeyChange(shared);
      return found;
    });
    if (role === null) await note(tx, deps, actor, 'CONSOLE_USER_REMOVED', before, now);
    else if (role !== before.role)
      await note(tx, deps, actor, 'CONSOLE_USER_CHANGED', before, now, {
        role: { from: before.role, to: role },
      });
    return { ...before, role: role ?? before.role };
  });
  deps.forgetKeys();
  return user;
}

/** Keys and users are created under a shared lock of their platform: see findDescendants. */
async function lockPlatformOf(shared: Tx, actor: Actor): Promise<void> {
  if (actor.kind === 'key') await lockSettings(shared, actor.platformId);
}

/** With the own user, in one order: two people may change each other at the same moment. */
async function lockUser(shared: Tx, actor: Actor, id: string): Promise<ConsoleUser> {
  const own = actor.kind === 'key' && actor.isUser ? [actor.keyId] : [];
  const users = isUuid(id) ? await lockUsers(shared, placeOf(actor), [...own, id]) : [];
  const user = users.find((each) => each.id === id.toLowerCase());
  return user ?? fail('NOT_FOUND', { message: 'There is no user with this id.' });
}

/** Who acts can do what the role can (RULES K4). @param granted null: somebody is removed, which every administrator may do. */
async function assertMayGrant(shared: Tx, now: Date, actor: Actor, granted: UserRole | null): Promise<void> {
  if (actor.kind === 'operator') return;
  const own = await lockOwnKey(shared, now, actor);
  assertNotReplaced(own);
  if (granted !== null) assertWithinCeiling(own, { scopes: scopesOfRole(granted), allowedCidrs: [] });
}

/** The operator has no activity log: the log of the process says who changed what. */
async function note(
  tx: Tx,
  { ids, log }: PlatformDeps,
  actor: Actor,
  action: Parameters<typeof recordUsers>[4]['action'],
  user: ConsoleUser,
  at: Date,
  details: object = {},
): Promise<void> {
  if (actor.kind === 'key') return recordUsers(tx, ids, actor, [user], { action, at, details });
  const { email, role } = user;
  log.info({ actor: actor.actor, action, email, role, ...details }, 'the users of the operator were changed');
}
