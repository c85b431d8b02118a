import type { ActivityAction } from '#domain/activityActions.js';
import { fail } from '#domain/errors.js';
import { hashOfSecret, type Vault } from '#kit/crypto.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, updateRow } from '#kit/db/rows.js';
import { type IdSource, newPublicToken } from '#kit/ids.js';
import { recordActivity } from '../activity.js';
import { lockShareTokens } from '../erasure/eraseSubject.js';
import { queueForLog } from '../log/queue.js';
import { findLiveSubject, type LiveSubject } from '../recompute/freezes.js';
import { revokeStatusEntry, type StatusEntry, takeStatusEntry } from './statusEntries.js';

/** What opens the public reads of one live subject, until it is withdrawn (RULES C1). */
export interface ShareToken {
  readonly tokenId: string;
  /** `st_` and 24 bytes, base64url (kit/ids.ts). */
  readonly token: string;
  /** The page for people, JSON by `Accept`. */
  readonly verifyUrl: string;
  readonly badgeUrl: string;
  readonly includeProfile: boolean;
  /** Shared by all credentials issued under the token. */
  readonly status: StatusEntry;
  readonly createdAt: Date;
}

export interface ShareAct {
  subjectId: string;
  actor: string;
  now: Date;
}

export type ShareTokens = ReturnType<typeof createShareTokens>;

interface ShareTokenDeps {
  vault: Vault;
  ids: IdSource;
  config: { baseUrl: string };
}

const TOKEN_BYTES = 24;

export function createShareTokens({ vault, ids, config }: ShareTokenDeps) {
  return {
    /**
     * The subject's active token, or a new one where it has none; calls at the same instant get the
     * same one. Throws USER_NOT_FOUND for an unknown subject and a test subject.
     * @param includeProfile whether strangers may see the professional profile; left out, an active
     * token keeps what it says, and a new one says no.
     */
    async ensure(tx: Tx, act: ShareAct, includeProfile?: boolean): Promise<ShareToken> {
      const subject = await lockSubject(tx, act.subjectId);
      const active = await findActiveToken(tx, subject.subjectId);
      if (!active) return mint(tx, subject, act, includeProfile ?? false);
      const token = opened(active);
      if (includeProfile === undefined || includeProfile === token.includeProfile) return token;
      const key = { subjectId: subject.subjectId, tokenId: token.tokenId };
      await updateRow(tx, 'share_token', key, { includeProfile });
      return { ...token, includeProfile };
    },
    /** Null for a subject that shares nothing. */
    async findActive(db: Queryable, subjectId: string): Promise<ShareToken | null> {
      const active = await findActiveToken(db, subjectId);
      return active && opened(active);
    },
    /**
     * Withdraws the active token: from the commit on it opens nothing in any process, nobody can have
     * it again, and all credentials issued under it are revoked. False if none was active. Throws
     * USER_NOT_FOUND as `ensure` does.
     */
    async withdraw(tx: Tx, act: ShareAct): Promise<boolean> {
      const subject = await lockSubject(tx, act.subjectId);
      const { subjectId } = subject;
      const active = await findActiveToken(tx, subjectId);
      if (!active) return false;
      const key = { subjectId, tokenId: active.tokenId };
      await updateRow(tx, 'share_token', key, { withdrawnAt: act.now, sealedToken: null });
      await queueForLog(tx, [subjectId], act.now);
      await revokeStatusEntry(tx, active.status, act.now);
      await record(tx, 'SHARE_TOKEN_REVOKED', subject, act, { mintedAt: active.createdAt });
      return true;
    },
  };

  async function mint(
    tx: Tx,
    subject: LiveSubject,
    act: ShareAct,
    includeProfile: boolean,
  ): Promise<ShareToken> {
    const tokenId = ids.at(act.now);
    const token = newPublicToken('st_', tx, TOKEN_BYTES);
    const minted: ActiveToken = {
      tokenId,
      sealedToken: vault.seal(token, shareTokenContext(tokenId)),
      includeProfile,
      status: await takeStatusEntry(tx, act.now),
      createdAt: act.now,
    };
    const { status, ...columns } = minted;
    await insertRow(tx, 'share_token', {
      ...columns,
      subjectId: subject.subjectId,
      tokenHash: hashOfSecret(token),
      statusList: status.list,
      statusIndex: status.index,
    });
    await record(tx, 'SHARE_TOKEN_MINTED', subject, act, { includeProfile });
    return toShareToken(minted, token);
  }

  function opened(active: ActiveToken): ShareToken {
    return toShareToken(active, vault.open(active.sealedToken, shareTokenContext(active.tokenId)));
  }

  function toShareToken({ sealedToken: _, ...facts }: ActiveToken, token: string): ShareToken {
    const { baseUrl } = config;
    return {
      ...facts,
      token,
      verifyUrl: `${baseUrl}/verify/${token}`,
      badgeUrl: `${baseUrl}/badge/${token}.svg`,
    };
  }

  function record(
    tx: Tx,
    action: ActivityAction,
    { subjectId, platformId }: LiveSubject,
    { actor, now }: ShareAct,
    details: Record<string, unknown>,
  ): Promise<void> {
    const what = { action, actor, target: subjectId, subjectId, details };
    return recordActivity(tx, { ...what, id: ids.at(now), platformId, livemode: true, at: now });
  }
}

async function lockSubject(tx: Tx, subjectId: string): Promise<LiveSubject> {
  await lockShareTokens(tx, subjectId);
  // Behind the lock: an erasure holds it, and then there is no subject.
  return (await findLiveSubject(tx, subjectId)) ?? fail('USER_NOT_FOUND');
}

export function shareTokenContext(tokenId: string): string {
  return `share token ${tokenId}`;
}

interface ActiveToken {
  tokenId: string;
  sealedToken: Buffer;
  includeProfile: boolean;
  status: StatusEntry;
  createdAt: Date;
}

async function findActiveToken(db: Queryable, subjectId: string): Promise<ActiveToken | null> {
  const [row] = await db.query<ActiveToken>(
    `select token_id, sealed_token, include_profile, created_at,
       json_build_object('list', status_list, 'index', status_index) as status
     from share_token where subject_id = $1 and withdrawn_at is null`,
    [subjectId],
  );
  return row ?? null;
}
