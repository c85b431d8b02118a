import { isAttester } from '#domain/declaredSubject.js';
import { type ServiceError, serviceError } from '#domain/errors.js';
import { coarseNetwork } from '#kit/addressGuard.js';
import { hashOfSecret } from '#kit/crypto.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import type { KeyAccess, RequestContext } from '#kit/http/route.js';
import { type IdSource, newPublicToken } from '#kit/ids.js';
import { recordActivities } from '#ledger/activity.js';
import { loadInsiders } from '#ledger/append/knownDeclarations.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { AttestationKind, Draft, KindTypes, LoggedStatus } from './kind.js';
import { insertAttestations } from './store.js';

/** Who asks: the caller of a request. */
export type AskingContext = Pick<
  RequestContext<KeyAccess, unknown, undefined, undefined>,
  'caller' | 'clientAddress'
>;

/** A request with a new token (RULES A5): unpredictable, behind the prefix of its kind. */
export function draftOf<K extends KindTypes>(
  kind: AttestationKind<K>,
  context: AskingContext,
  attestation: K['stored'],
  unread: K['unread'],
): Draft<K> {
  const { platformId, livemode, group } = context.caller;
  const token = newPublicToken(kind.tokenPrefix, { ledgers: { own: group } });
  return {
    attestation,
    unread,
    platformId,
    livemode,
    subjectId: subjectIdOf(platformId, livemode, attestation.userId),
    token,
    tokenHash: hashOfSecret(token),
    askedByKey: context.caller.keyId,
    askedFrom: coarseNetwork(context.clientAddress),
  };
}

/**
 * Writes new requests and their lines of the activity log: at most three statements for any number
 * of requests.
 */
export async function writeDrafts<K extends KindTypes>(
  tx: Tx,
  deps: { ids: IdSource },
  kind: AttestationKind<K>,
  { caller }: AskingContext,
  drafts: readonly Draft<K>[],
): Promise<void> {
  const attestations = drafts.map(({ attestation }) => attestation);
  const [first] = attestations;
  if (!first) return;
  await insertAttestations(tx, kind, drafts);
  const { actor } = caller;
  await recordAct(tx, deps, kind, caller, { status: 'PENDING', actor, at: first.createdAt, attestations });
}

interface Named {
  readonly userId: string;
  readonly counterpartyRef: string;
}

/**
 * Finds which of these requests name the subject, its operator or the platform as counterparty, by
 * the declarations in force (RULES A4).
 */
export async function loadSelfRefusal<K extends KindTypes>(
  db: Queryable,
  { errors }: AttestationKind<K>,
  platform: { platformId: string; platformName: string; livemode: boolean },
  requests: readonly Named[],
): Promise<(request: Named) => ServiceError | null> {
  const userIds = requests.map(({ userId }) => userId);
  const insidersOf = await loadInsiders(db, platform, userIds);
  return ({ counterpartyRef, userId }) =>
    isAttester(counterpartyRef, insidersOf(userId)) ? null : serviceError(errors.self);
}

interface Act<K extends KindTypes> {
  /** The status that the requests have now. */
  readonly status: LoggedStatus;
  /** As in Activity. */
  readonly actor: string;
  readonly at: Date;
  readonly attestations: readonly K['stored'][];
  /** Beside the details that every line of the kind has. */
  readonly details?: object;
}

/** A line of the activity log for each of the requests, if their kind has any. */
export async function recordAct<K extends KindTypes>(
  tx: Tx,
  { ids }: { ids: IdSource },
  { activity }: AttestationKind<K>,
  { platformId, livemode }: ModeOwner,
  { status, actor, at, attestations, details }: Act<K>,
): Promise<void> {
  if (!activity) return;
  await recordActivities(
    tx,
    attestations.map((attestation) => ({
      id: ids.at(at),
      platformId,
      livemode,
      action: activity.actions[status],
      actor,
      target: attestation.id,
      subjectId: subjectIdOf(platformId, livemode, attestation.userId),
      details: { ...activity.detailsOf(attestation, status), ...details },
      at,
    })),
  );
}
