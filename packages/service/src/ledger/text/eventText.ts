import { hash } from 'node:crypto';
import { partyKeyOf } from '#domain/sameParty.js';
import type { Queryable } from '#kit/db/database.js';

/**
 * SQL that joins the texts of events. One lookup by key for each event: a join in
 * one go would read whole tables while they are young and have no statistics. Both columns are
 * named, so that a cluster looks on the machine of the subject.
 * @param event alias of `event`.
 */

export const textOf = (event: string, eventId = `${event}.event_id`) =>
  lookup('t', 'event_text', 'metadata, transaction_value, attester', event, eventId);

export const remainsOf = (event: string, eventId = `${event}.event_id`) =>
  lookup('r', 'event_text_hash', 'text_hash, attester_hash', event, eventId);

function lookup(alias: string, table: string, columns: string, event: string, eventId: string): string {
  return `left join lateral (
    select ${columns} from ${table} as found
    where found.event_id = ${eventId} and found.subject_id = ${event}.subject_id limit 1
  ) ${alias} on true`;
}

/** A row of a query over events, joined with `remainsOf`. */
export interface AttestedRow {
  readonly attester: string | null;
  /** Set if the name was dropped with the text. */
  readonly attesterHash: Buffer | null;
}

/**
 * Restores who attested where the name was dropped: the name, if another row or `names` has it, or
 * a name that is the same for one party in every answer. Figures about attesters therefore do not
 * depend on how long texts are kept. Costs a query only if a name was dropped.
 */
export async function withFormerAttesters<Row extends AttestedRow>(
  db: Queryable,
  rows: readonly Row[],
  names: readonly string[] = [],
): Promise<readonly Row[]> {
  if (rows.every(({ attesterHash }) => attesterHash === null)) return rows;
  const salt = await readPartySalt(db);
  const known = new Map<string, string>();
  for (const name of [...rows.map(({ attester }) => attester), ...names]) {
    if (name !== null) known.set(attesterHashOf(salt, name).toString('hex'), name);
  }
  return rows.map((row) => {
    const hex = row.attesterHash?.toString('hex');
    return hex === undefined ? row : { ...row, attester: known.get(hex) ?? `${FORMER}${hex.slice(0, 32)}` };
  });
}

const FORMER = 'former-';

export function isFormer(name: string): boolean {
  return name.startsWith(FORMER);
}

/** The same for all spellings of a party. */
export function attesterHashOf(salt: string, attester: string): Buffer {
  return hash('sha256', `${salt} ${partyKeyOf(attester)}`, 'buffer');
}

export async function readPartySalt(db: Queryable): Promise<string> {
  const [row] = await db.shared.query<{ partySalt: string }>('select party_salt from installation');
  if (!row) throw new Error('the table `installation` is empty');
  return row.partySalt;
}
