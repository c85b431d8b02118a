import { randomBytes, randomUUID } from 'node:crypto';
import { envelopeTypes, exampleEnvelope } from '#domain/envelopes/catalogue.js';
import { TEST_KEYS } from '#harness/service.js';
import { createVault } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import { type EnvelopeDraft, writeEnvelopes } from '#outbox/envelopes.js';
import { WEBHOOK_SECRET } from '../../../src/features/notify/webhooks/webhookSecrets.js';

export const vault = createVault(TEST_KEYS.data);

export interface AddedWebhook {
  readonly id: string;
  readonly secret: string;
}

interface AddOptions {
  livemode?: boolean;
  events?: readonly string[];
  /** A previous secret that also signs until then. */
  previous?: { secret: string; endsAt: Date };
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Adds an endpoint of the first platform. Default: all types. */
export async function addWebhook(db: Database, url: string, options: AddOptions = {}): Promise<AddedWebhook> {
  const { livemode = true, events = envelopeTypes, previous } = options;
  const id = randomUUID();
  const secret = newSecret();
  await db.execute(
    `insert into webhook (webhook_id, platform_id, livemode, url, events, sealed_secret, sealed_previous_secret,
       previous_ends_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now())`,
    [
      id,
      await onlyPlatform(db),
      livemode,
      url,
      events,
      vault.seal(secret, WEBHOOK_SECRET),
      previous ? vault.seal(previous.secret, WEBHOOK_SECRET) : null,
      previous?.endsAt ?? null,
    ],
  );
  return { id, secret };
}

export interface WebhookState {
  isActive: boolean;
  disabledReason: string | null;
  failingSince: Date | null;
}

export async function webhookState(db: Database, id: string): Promise<WebhookState | undefined> {
  const [row] = await db.query<WebhookState>(
    'select is_active, disabled_reason, failing_since from webhook where webhook_id = $1',
    [id],
  );
  return row;
}

export interface LoggedAttempt {
  envelopeId: string;
  type: string;
  status: string;
  attempt: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  latencyMs: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
}

export function attemptsOf(db: Database, webhookId: string): Promise<LoggedAttempt[]> {
  return db.query<LoggedAttempt>(
    'select * from delivery where webhook_id = $1 order by created_at, attempt',
    [webhookId],
  );
}

export async function pendingOf(db: Database, webhookId: string): Promise<number> {
  const rows = await db.query('select 1 from outbox_queue where target_id = $1', [webhookId]);
  return rows.length;
}

const ids = createIdSource();

/** Writes an `import.completed` of the first platform, which nothing else in a test causes. */
export async function writeImport(db: Database, at: Date): Promise<void> {
  const { data } = exampleEnvelope('import.completed');
  const draft = {
    type: 'import.completed',
    platformId: await onlyPlatform(db),
    livemode: true,
    subjectId: null,
    data,
  } as EnvelopeDraft;
  await db.transaction((tx) => writeEnvelopes(tx, ids, at, [draft]));
}

async function onlyPlatform(db: Database): Promise<string> {
  const [platform] = await db.query<{ platformId: string }>('select platform_id from platform');
  return platform?.platformId ?? '';
}
