import type { ActivityAction } from '../../domain/activityActions.js';
import { fail } from '../../domain/errors.js';
import { hashOfSecret, type Vault } from '../../kit/crypto.js';
import type { Queryable, Tx } from '../../kit/db/database.js';
import { insertRow, pick } from '../../kit/db/rows.js';
import { type IdSource, newPublicToken } from '../../kit/ids.js';
import { recordActivity } from '../activity.js';
import { lockShareTokens } from '../erasure/eraseSubject.js';
import { queueForLog } from '../log/queue.js';
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
  /** As in Activity. */
  actor: string;
  now: Date;
}

export interface ShareTokens {
  /**
   * The subject's active token, or a new one where it has none; calls at the same instant get the
   * same one. Throws USER_NOT_FOUND for an unknown subject and a test subject.
   * @param includeProfile whether strangers may see the professional profile; left out, an active
   * token keeps what it says, and a new one says no.
   */
  ensure(tx: Tx, act: ShareAct, includeProfile?: boolean): Promise<ShareToken>;
  /** Null for a subject that shares nothing. */
  findActive(db: Queryable, subjectId: string): Promise<ShareToken | null>;
  /**
   * Withdraws the active token: it opens nothing any more, and all credentials issued under it are
   * revoked. False if none was active. Throws USER_NOT_FOUND as `ensure` does.
   */
  withdraw(tx: Tx, act: ShareAct): Promise<boolean>;
}

interface ShareTokenDeps {
  vault: Vault;
  ids: IdSource;
  config: { baseUrl: string };
}

const TOKEN_BYTES = 24;

export function createShareTokens({ vault, ids, config }: ShareTokenDeps): ShareTokens {
  return {
    async ensure(tx, act, includeProfile) {
      const subject = await lockSubject(tx, act.subjectId);
      const active = await findActiveToken(tx, subject.subjectId);
      if (!active) return mint(tx, subject, act, includeProfile ?? false);
      const token = opened(active);
      if (includeProfile === undefined || includeProfile === token.includeProfile) return token;
      await setIncludeProfile(tx, subject.subjectId, token.tokenId, includeProfile);
      return { ...token, includeProfile };
    },
    async findActive(db, subjectId) {
      const active = await findActiveToken(db, subjectId);
      return active && opened(active);
    },
    async withdraw(tx, act) {
      const subject = await lockSubject(tx, act.subjectId);
      const active = await findActiveToken(tx, subject.subjectId);
      if (!active) return false;
      await closeToken(tx, subject.subjectId, active.tokenId, act.now);
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
    await insertToken(tx, { ...minted, subjectId: subject.subjectId, tokenHash: hashOfSecret(token) });
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

/** The context under which a share token is sealed; see Vault. */
export function shareTokenContext(tokenId: string): string {
  return `share token ${tokenId}`;
}

/** A live subject, as its platform knows it. */
interface LiveSubject {
  subjectId: string;
  platformId: string;
}

interface ActiveToken {
  tokenId: string;
  sealedToken: Buffer;
  includeProfile: boolean;
  status: StatusEntry;
  createdAt: Date;
}

/** Null for a subject that nobody knows, and for a test subject. */
async function findLiveSubject(db: Queryable, subjectId: string): Promise<LiveSubject | null> {
  const [row] = await db.query<{ platformId: string }>(
    'select platform_id from subject where subject_id = $1 and livemode and external_id is not null',
    [subjectId],
  );
  return row ? { subjectId, platformId: row.platformId } : null;
}

async function findActiveToken(db: Queryable, subjectId: string): Promise<ActiveToken | null> {
  const [row] = await db.query<{
    tokenId: string;
    sealedToken: Buffer;
    includeProfile: boolean;
    statusList: number;
    statusIndex: number;
    createdAt: Date;
  }>(
    `select token_id, sealed_token, include_profile, status_list, status_index, created_at
     from share_token where subject_id = $1 and withdrawn_at is null`,
    [subjectId],
  );
  if (!row) return null;
  return {
    tokenId: row.tokenId,
    sealedToken: row.sealedToken,
    includeProfile: row.includeProfile,
    status: { list: row.statusList, index: row.statusIndex },
    createdAt: row.createdAt,
  };
}

interface NewToken extends ActiveToken {
  subjectId: string;
  tokenHash: Buffer;
}

async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  await insertRow(tx, 'share_token', {
    ...pick(token, 'subjectId', 'tokenId', 'tokenHash', 'sealedToken', 'includeProfile', 'createdAt'),
    statusList: token.status.list,
    statusIndex: token.status.index,
  });
}

async function setIncludeProfile(
  tx: Tx,
  subjectId: string,
  tokenId: string,
  includeProfile: boolean,
): Promise<void> {
  await tx.execute('update share_token set include_profile = $3 where subject_id = $1 and token_id = $2', [
    subjectId,
    tokenId,
    includeProfile,
  ]);
}

/**
 * The token opens nothing from the commit on, in any process, and cannot be had again by anybody.
 */
async function closeToken(tx: Tx, subjectId: string, tokenId: string, now: Date): Promise<void> {
  await tx.execute(
    'update share_token set withdrawn_at = $3, sealed_token = null where subject_id = $1 and token_id = $2',
    [subjectId, tokenId, now],
  );
  await queueForLog(tx, [subjectId], now);
}
