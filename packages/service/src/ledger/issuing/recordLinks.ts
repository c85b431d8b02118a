import { fail } from '#domain/errors.js';
import type { LanguageTag } from '#domain/languages.js';
import { HOUR_MS } from '#domain/timestamp.js';
import { hashOfSecret } from '#kit/crypto.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, updateRow } from '#kit/db/rows.js';
import { type IdSource, isUuid, newPublicToken } from '#kit/ids.js';
import { recordOwnerActivity } from '../activity.js';
import { lockShareTokens } from '../erasure/eraseSubject.js';

/** What a record link opens (RULES Z1). Every member comes from the row: the token only finds it. */
export interface OpenRecord {
  readonly recordLinkId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  readonly subjectId: string;
  /** The platform's id of the subject. */
  readonly userId: string;
  /** Chosen with the link. Null: that of the browser. */
  readonly language: LanguageTag | null;
}

interface LinkAct {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly subjectId: string;
  readonly actor: string;
  readonly now: Date;
}

interface CreateAct extends LinkAct {
  readonly expiresInHours: number;
  readonly language: LanguageTag | null;
}

interface CreatedLink {
  readonly recordLinkId: string;
  /** Returned once: the service stores the hash of its token. */
  readonly url: string;
  readonly expiresAt: Date;
}

interface RecordLinkDeps {
  ids: IdSource;
  config: { baseUrl: string };
}

/** Links of one subject that open at the same time. */
export const MAX_RECORD_LINKS = 5;

export type RecordLinks = ReturnType<typeof createRecordLinks>;

export function createRecordLinks({ ids, config }: RecordLinkDeps) {
  return {
    /** Throws USER_NOT_FOUND for an unknown subject, CONFLICT for a sixth link. */
    async create(tx: Tx, act: CreateAct): Promise<CreatedLink> {
      const { subjectId, platformId, livemode, language, now } = act;
      await lockShareTokens(tx, subjectId);
      await assertKnown(tx, subjectId);
      if ((await countOpen(tx, subjectId, now)) >= MAX_RECORD_LINKS) {
        return fail('CONFLICT', {
          message: `The subject has ${MAX_RECORD_LINKS} record links that are still open. Withdraw one, or wait until one expires.`,
        });
      }
      const token = newPublicToken('rl_', tx);
      const recordLinkId = ids.at(now);
      const expiresAt = new Date(now.getTime() + act.expiresInHours * HOUR_MS);
      await insertRow(tx, 'record_link', {
        recordLinkId,
        subjectId,
        platformId,
        livemode,
        tokenHash: hashOfSecret(token),
        language,
        createdAt: now,
        expiresAt,
      });
      const what = { target: recordLinkId, subjectId, details: { expiresAt }, at: now };
      await recordOwnerActivity(tx, ids, act, { action: 'RECORD_LINK_CREATED', ...what });
      return { recordLinkId, url: `${config.baseUrl}/record/${token}`, expiresAt };
    },
    /** From the commit on the link opens nothing. Can be repeated. Throws USER_NOT_FOUND, and NOT_FOUND for an unknown link. */
    async withdraw(tx: Tx, act: LinkAct & { recordLinkId: string }): Promise<void> {
      const { subjectId, recordLinkId, now: withdrawnAt } = act;
      await lockShareTokens(tx, subjectId);
      await assertKnown(tx, subjectId);
      const [link] = isUuid(recordLinkId)
        ? await tx.query<{ withdrawnAt: Date | null }>(
            'select withdrawn_at from record_link where record_link_id = $1 and subject_id = $2',
            [recordLinkId, subjectId],
          )
        : [];
      if (!link) return fail('NOT_FOUND', { message: 'The subject has no record link with this id.' });
      if (link.withdrawnAt) return;
      await updateRow(tx, 'record_link', { recordLinkId }, { withdrawnAt });
      const what = { target: recordLinkId, subjectId, at: withdrawnAt };
      await recordOwnerActivity(tx, ids, act, { action: 'RECORD_LINK_WITHDRAWN', ...what });
    },
    /**
     * Null for a token that is unknown, expired or withdrawn, or whose subject is erased. All of them
     * cost the same statement: not even a malformed token is answered without it.
     */
    async open(db: Queryable, token: string, now: Date): Promise<OpenRecord | null> {
      const [row] = await db.query<OpenRecord>(
        `select l.record_link_id, l.platform_id, l.livemode, l.subject_id, s.external_id as user_id, l.language
         from record_link l join subject s using (subject_id)
         where l.token_hash = $1 and l.withdrawn_at is null and l.expires_at > $2 and s.external_id is not null`,
        [hashOfSecret(token), now],
      );
      return row ?? null;
    },
  };
}

/** The lock on the row: a reset of test data deletes the link with its subject, or comes first. */
async function assertKnown(tx: Tx, subjectId: string): Promise<void> {
  const rows = await tx.query(
    'select 1 from subject where subject_id = $1 and external_id is not null for key share',
    [subjectId],
  );
  if (rows.length === 0) fail('USER_NOT_FOUND');
}

async function countOpen(tx: Tx, subjectId: string, now: Date): Promise<number> {
  const [row] = await tx.query<{ open: number }>(
    `select count(*)::integer as open from record_link
     where subject_id = $1 and withdrawn_at is null and expires_at > $2`,
    [subjectId, now],
  );
  return row?.open ?? 0;
}
