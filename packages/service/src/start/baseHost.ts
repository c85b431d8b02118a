import type { Database, Queryable } from '../kit/db/database.js';
import type { Config } from './config.js';

/** The host of BASE_URL changed under what was signed with the former one. */
interface ChangedHost {
  readonly former: string;
  readonly now: string;
}

/** Null: the host is the same, or nothing was signed with the former one. */
export async function findChangedHost(
  db: Queryable,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): Promise<ChangedHost | null> {
  const [row] = await db.query<{ baseHost: string | null; hasSigned: boolean }>(
    `select base_host, exists (select from signing_key where purpose in ('credential', 'log')) as has_signed
     from installation`,
  );
  const now = hostOf(baseUrl);
  return row?.baseHost && row.hasSigned && row.baseHost !== now ? { former: row.baseHost, now } : null;
}

/** Notes the host of BASE_URL for the next start. Returns what has changed since the last one. */
export async function noteHost(db: Database, config: Pick<Config, 'baseUrl'>): Promise<ChangedHost | null> {
  const changed = await findChangedHost(db, config);
  await db.execute('update installation set base_host = $1 where base_host is distinct from $1', [
    hostOf(config.baseUrl),
  ]);
  return changed;
}

export function changedHostText({ former, now }: ChangedHost): string {
  return (
    `The host of BASE_URL was ${former} and is now ${now}. Credentials issued so far name did:web:${former} as their issuer: ` +
    `they verify only while https://${former} still serves this installation. The transparency log continues as ${now}/log, ` +
    `which witnesses and holders of proofs of ${former}/log do not know. If this is a mistake, set BASE_URL back.`
  );
}

function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}
