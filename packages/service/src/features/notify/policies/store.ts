import type { PolicyTerms } from '../../../domain/envelopes/scoreEnvelopes.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { WatchOwner } from '../watchOwner.js';

/** A policy as it is stored and as its owner reads it. */
export interface Policy {
  readonly id: string;
  readonly name: string;
  readonly condition: PolicyTerms;
  /** Null: the whole book. */
  readonly userId: string | null;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const SELECT_POLICY = `select p.policy_id as id, p.name, p.metric, p.direction, p.threshold, p.component, p.band,
    s.external_id as "userId", p.is_active, p.created_at, p.updated_at
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
  owner: WatchOwner,
  subjectId: string | null,
  policy: Policy,
): Promise<void> {
  const { metric, direction, threshold, component, band } = policy.condition;
  await tx.execute(
    `insert into policy (policy_id, platform_id, livemode, name, metric, direction, threshold, component, band, subject_id,
       is_active, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      policy.id,
      owner.platformId,
      owner.livemode,
      policy.name,
      metric,
      direction,
      threshold,
      component,
      band,
      subjectId,
      policy.isActive,
      policy.createdAt,
      policy.updatedAt,
    ],
  );
}

export async function findPolicy(db: Queryable, owner: WatchOwner, id: string): Promise<Policy | null> {
  const [row] = await db.query<PolicyRow>(`${SELECT_POLICY} and p.policy_id = $3`, [
    owner.platformId,
    owner.livemode,
    id,
  ]);
  return row ? policyOf(row) : null;
}

/** The policy, held until the transaction ends so that two changes of it do not overwrite each other. */
export async function lockPolicy(tx: Tx, owner: WatchOwner, id: string): Promise<Policy | null> {
  const [row] = await tx.query<PolicyRow>(`${SELECT_POLICY} and p.policy_id = $3 for update of p`, [
    owner.platformId,
    owner.livemode,
    id,
  ]);
  return row ? policyOf(row) : null;
}

/** Newest first, from behind `beforeId`. */
export async function findPolicies(
  db: Queryable,
  owner: WatchOwner,
  beforeId: string | null,
  limit: number,
): Promise<Policy[]> {
  const rows = await db.query<PolicyRow>(
    `${SELECT_POLICY} and ($3::uuid is null or p.policy_id < $3) order by p.policy_id desc limit $4`,
    [owner.platformId, owner.livemode, beforeId, limit],
  );
  return rows.map(policyOf);
}

export async function savePolicy(tx: Tx, subjectId: string | null, policy: Policy): Promise<void> {
  const { metric, direction, threshold, component, band } = policy.condition;
  await tx.execute(
    `update policy set name = $2, metric = $3, direction = $4, threshold = $5, component = $6, band = $7,
       subject_id = $8, is_active = $9, updated_at = $10
     where policy_id = $1`,
    [
      policy.id,
      policy.name,
      metric,
      direction,
      threshold,
      component,
      band,
      subjectId,
      policy.isActive,
      policy.updatedAt,
    ],
  );
}

export async function deletePolicyRow(tx: Tx, id: string): Promise<void> {
  await tx.execute('delete from policy where policy_id = $1', [id]);
}
