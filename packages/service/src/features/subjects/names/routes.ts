import { z } from 'zod';
import { subjectTypes } from '#domain/catalogues/enums.js';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import { namesSomebody } from '#domain/sameParty.js';
import type { Queryable } from '#kit/db/database.js';
import { ok } from '#kit/http/answer.js';
import { instant } from '#kit/http/query.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import { type NamedSubject, setDisplayName } from '#ledger/displayNames.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';

type NameDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids'>;

const CONTROL = /\p{Cc}/u;

/** Free text for people who work with the platform; no fact, credential or public page has it (RULES P14). */
const displayName = z
  .string()
  .max(120, { abort: true })
  .refine((text) => !CONTROL.test(text), { error: 'must not contain control characters', abort: true })
  .refine(namesSomebody, 'names nobody. Send null to remove the name');

const UserChanges = z.object({ displayName: displayName.nullish() }).meta({ id: 'UserChanges' });

type User = z.output<typeof User>;
const User = z
  .object({
    userId: z.string(),
    displayName: z.string().nullable(),
    subjectType: z.enum(subjectTypes),
    registeredAt: instant,
  })
  .meta({ id: 'User' });

export function nameRoutes(deps: NameDeps): RouteTable {
  const ofSubject = {
    access: keyFor('scores'),
    tag: 'Users',
    params: userPath,
    answers: { 200: User },
    errors: ['USER_NOT_FOUND'],
  } as const;
  return {
    'GET /users/{id}': route({
      operationId: 'readUser',
      ...ofSubject,
      handle: async (context) => ok(toUser(await findNamed(deps.db, subjectOf(context)))),
    }),
    'PATCH /users/{id}': route({
      operationId: 'updateUser',
      ...ofSubject,
      body: UserChanges,
      handle: async (context) => ok(await updateUser(deps, context)),
    }),
  };
}

async function findNamed(db: Queryable, subjectId: string): Promise<NamedSubject> {
  const [row] = await db.query<NamedSubject>(
    `select subject_id, platform_id, livemode, external_id, display_name, subject_type, registered_at
     from subject where subject_id = $1 and external_id is not null`,
    [subjectId],
  );
  return row ?? fail('USER_NOT_FOUND');
}

/** PATCH /users/{id}. The name itself is in no activity: it would outlive its removal there. */
function updateUser(
  { db, clock, ids }: NameDeps,
  context: UserContext<undefined, z.output<typeof UserChanges>>,
): Promise<User> {
  const { owner, body } = context;
  const subjectId = subjectOf(context);
  const now = clock.now();
  return db.transaction(async (tx) => {
    const before = await findNamed(tx, subjectId);
    const { displayName = before.displayName } = body;
    if (displayName === before.displayName) return toUser(before);
    const name = displayName === null ? null : { displayName, namedAt: now };
    const after = (await setDisplayName(tx, subjectId, name)) ?? fail('USER_NOT_FOUND');
    const details = { named: displayName !== null };
    await recordOwnerActivity(tx, ids, owner, { action: 'SUBJECT_NAMED', subjectId, details, at: now });
    return toUser(after);
  });
}

function toUser({ externalId, displayName, subjectType, registeredAt }: NamedSubject): User {
  return { userId: externalId, displayName, subjectType, registeredAt };
}
