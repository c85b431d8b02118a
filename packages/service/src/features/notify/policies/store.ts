import { z } from 'zod';
import type { PolicyTerms } from '../../../domain/envelopes/scoreEnvelopes.js';
import { fail } from '../../../domain/errors.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick, updateRow } from '../../../kit/db/rows.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import type { Policy, PolicyQuery } from './schemas.js';

const SELECT_POLICY = `select p.policy_id as id, p.name, p.metric, p.direction, p.threshold, p.component, p.band,
    s.external_id as user_id, p.is_active, p.created_at, p.updated_at
  from policy p left join subject s using (subject_id)
  where p.platform_id = $1 and p.livemode = $2`;

type PolicyRow = Omit<Policy, 'condition'> & PolicyTerms;

function policyOf({ metric, direction, threshold, component, band, ...row }: PolicyRow): Policy {
  const { id, name, userId, isActive, createdAt, updatedAt } = row;
  const condition = { metric, direction, threshold, component, band };
  return { id, name, condition, userId, isActive, createdAt, updatedAt };
}

export async function insertPolicy(
  tx: Tx,
  owner: Owner,
  subjectId: string | null,
  policy: Policy,
): Promise<void> {
  await insertRow(tx, 'policy', {
    ...pick(policy, 'name', 'isActive', 'createdAt', 'updatedAt'),
    ...pick(policy.condition, 'metric', 'direction', 'threshold', 'component', 'band'),
    policyId: policy.id,
    platformId: owner.platformId,
    livemode: owner.livemode,
    subjectId,
  });
}

/** Throws NOT_FOUND. */
export function readPolicy(db: Queryable, owner: Owner, id: string): Promise<Policy> {
  return findOne(db, `${SELECT_POLICY} and p.policy_id = $3`, owner, id);
}

/**
 * Locks it until the transaction ends, so that simultaneous changes do not overwrite each other.
 * Throws NOT_FOUND.
 */
export function lockPolicy(tx: Tx, owner: Owner, id: string): Promise<Policy> {
  return findOne(tx, `${SELECT_POLICY} and p.policy_id = $3 for update of p`, owner, id);
}

async function findOne(db: Queryable, text: string, owner: Owner, id: string): Promise<Policy> {
  const [row] = isUuid(id) ? await db.query<PolicyRow>(text, [owner.platformId, owner.livemode, id]) : [];
  return row ? policyOf(row) : fail('NOT_FOUND', { message: 'There is no policy with this id.' });
}

/** A page, newest first. */
export async function listPolicies(db: Queryable, owner: Owner, query: z.output<typeof PolicyQuery>) {
  const [beforeId] = positionOf(query.cursor, PolicyCursor) ?? [null];
  const rows = await db.query<PolicyRow>(
    `${SELECT_POLICY} and ($3::uuid is null or p.policy_id < $3) order by p.policy_id desc limit $4`,
    [owner.platformId, owner.livemode, beforeId, query.limit + 1],
  );
  const page = pageOf(rows.map(policyOf), query.limit, (policy) => [policy.id]);
  return { policies: page.rows, nextCursor: page.nextCursor };
}

const PolicyCursor = z.tuple([z.uuid()]);

export async function savePolicy(tx: Tx, subjectId: string | null, policy: Policy): Promise<void> {
  await updateRow(
    tx,
    'policy',
    { policyId: policy.id },
    {
      ...pick(policy, 'name', 'isActive', 'updatedAt'),
      ...pick(policy.condition, 'metric', 'direction', 'threshold', 'component', 'band'),
      subjectId,
    },
  );
}

export async function deletePolicyRow(tx: Tx, id: string): Promise<void> {
  await tx.execute('delete from policy where policy_id = $1', [id]);
}
