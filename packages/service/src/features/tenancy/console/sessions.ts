import { fail } from '#domain/errors.js';
import { hashOfSecret, isSameSecret, randomSecret, sha256 } from '#kit/crypto.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import type { BeforeLookUp } from '#kit/http/admission.js';
import type { Caller } from '#kit/http/route.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type AdmitKey, isKey } from '../platforms/authenticator.js';
import { announceKeyChange, findActiveKey, findActiveKeyById, type KnownKey } from '../platforms/keyStore.js';
import { createLookUps } from '../platforms/lookUps.js';
import { type Choice, findChoices, findUserAsKey } from '../platforms/userStore.js';

export const IDLE_MINUTES = 30;
export const MAX_HOURS = 12;
const IDLE_MS = IDLE_MINUTES * 60_000;
const MAX_MS = MAX_HOURS * 3_600_000;
/** Requests write down their time this often at most. */
const NOTED_EVERY_MS = 15_000;

/** A session and whom it acts for. */
export type Session = {
  readonly sessionHash: Buffer;
  readonly createdAt: Date;
  lastUsedAt: Date;
  /** What the operator has looked at, as far as this process knows. */
  readonly viewed: Set<string>;
} & (
  | { readonly kind: 'key'; readonly known: KnownKey }
  /** `person`: by ADMIN_SECRET nobody is known. */
  | { readonly kind: 'operator'; readonly person: Person | null }
  /** `known`: null while one of several users is still to be chosen. */
  | { readonly kind: 'user'; readonly person: Person; readonly known: KnownKey | null }
);

/** Who signed in through the issuer. */
export interface Person {
  readonly email: string;
  /** As whom they may act: one user on each platform that has invited them. */
  readonly choices: readonly Choice[];
  readonly chosen: Choice | null;
}

export interface Sessions {
  /** Opens a session for a key, the admin secret or the token of a link. Throws UNAUTHORIZED. @returns its token. */
  open(secret: string, address: string): Promise<string>;
  /** Opens a session for a person with a verified email address. @returns its token; null: no user has the address. */
  openFor(email: string, address: string): Promise<string | null>;
  /** Makes the session of a person act as another of their users. Throws FORBIDDEN, NOT_FOUND. */
  choose(token: string, userId: string, address: string): Promise<void>;
  /** Null: unknown, ended, or its key or user lost access. A session that is found counts as used. */
  find(token: string, beforeLookUp?: BeforeLookUp): Promise<Session | null>;
  /** Does not count as use. */
  isOpen(token: string): Promise<boolean>;
  end(token: string): Promise<void>;
  /** A change takes effect with the next request. */
  expireAll(): void;
}

type SessionDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'log'> & {
  /** Undefined: the operator API is closed. */
  adminSecret: string | undefined;
  admitKey: AdmitKey;
  /** False: no issuer is configured, and sessions of persons are closed. */
  hasIssuer: boolean;
};

export function createSessions(deps: SessionDeps): Sessions {
  const { db, clock, ids, log, adminSecret, admitKey, hasIssuer } = deps;
  const lookUps = createLookUps(load);
  return { open, openFor, choose, find, isOpen, end, expireAll: lookUps.expireAll };

  async function open(secret: string, address: string): Promise<string> {
    const token = randomSecret('');
    const now = clock.now();
    if (adminSecret !== undefined && isSameSecret(secret, adminSecret)) {
      await db.transaction((tx) => store(tx, token, { operatorMark: markOf(token, adminSecret) }));
      log.info({ address }, 'the operator signed in to the console');
      return token;
    }
    const known = isKey(secret)
      ? await findActiveKey(db, hashOfSecret(secret))
      : await db.transaction((tx) => takeSignInLink(tx, hashOfSecret(secret), now));
    const caller = admitKey(known, address);
    await db.transaction(async (tx) => {
      await store(tx, token, { keyId: caller.keyId });
      const activity = { action: 'CONSOLE_SIGNED_IN', target: caller.keyId, at: now } as const;
      await tx.inLedger(caller.group, (own) => recordOwnerActivity(own, ids, caller, activity));
    });
    return token;
  }

  async function openFor(email: string, address: string): Promise<string | null> {
    const choices = await findChoices(db, email, adminSecret !== undefined);
    const [only, ...others] = choices;
    if (!only) return null;
    const token = randomSecret('');
    await db.transaction(async (tx) => {
      await store(tx, token, { email });
      if (others.length === 0) await actAs(tx, token, email, only, address);
    });
    return token;
  }

  async function choose(token: string, userId: string, address: string): Promise<void> {
    const session = await find(token);
    const person = session && personOf(session);
    if (!person) return fail('FORBIDDEN', { message: 'Only who signed in through the issuer can choose.' });
    const choice = person.choices.find((each) => each.userId === userId.toLowerCase());
    await db.transaction(async (tx) => {
      await actAs(tx, token, person.email, choice ?? failUnknownChoice(), address);
      await announceKeyChange(tx);
    });
    lookUps.forget(token);
  }

  async function actAs(tx: Tx, token: string, email: string, { userId, platform }: Choice, address: string) {
    const at = clock.now();
    if (!(await saveChoice(tx, hashOfSecret(token), email, userId, at))) return failUnknownChoice();
    const actor = `user:${email}`;
    if (!platform) return log.info({ actor, address }, 'the operator signed in to the console');
    const known = await findUserAsKey(tx, userId);
    const caller = admitKey(known, address);
    const activity = { action: 'CONSOLE_SIGNED_IN', target: userId, at } as const;
    await tx.inLedger(caller.group, (own) => recordOwnerActivity(own, ids, caller, activity));
  }

  async function store(
    tx: Tx,
    token: string,
    owner: Partial<Pick<StoredSession, 'keyId' | 'operatorMark' | 'email'>>,
  ) {
    const now = clock.now();
    await deleteEndedSessions(tx, new Date(now.getTime() - MAX_MS), new Date(now.getTime() - IDLE_MS));
    await insertRow(tx, 'console_session', {
      ...owner,
      sessionHash: hashOfSecret(token),
      createdAt: now,
      lastUsedAt: now,
    });
  }

  async function find(token: string, beforeLookUp?: BeforeLookUp): Promise<Session | null> {
    const now = clock.now();
    const session = await lookUps.find(token, now.getTime(), (last) =>
      beforeLookUp?.(last && callerOf(last)),
    );
    if (!session || hasEnded(session, now)) return null;
    if (now.getTime() - session.lastUsedAt.getTime() >= NOTED_EVERY_MS) {
      session.lastUsedAt = now;
      await noteSessionUse(db, session.sessionHash, now);
    }
    return session;
  }

  async function isOpen(token: string): Promise<boolean> {
    const now = clock.now();
    const session = await lookUps.find(token, now.getTime());
    return session !== null && !hasEnded(session, now);
  }

  async function load(token: string): Promise<Session | null> {
    const sessionHash = hashOfSecret(token);
    const stored = await findSession(db, sessionHash);
    if (!stored) return null;
    const { keyId, operatorMark, email, userId, createdAt, lastUsedAt } = stored;
    const times = { sessionHash, createdAt, lastUsedAt, viewed: new Set<string>() };
    if (keyId !== null) {
      const known = await findActiveKeyById(db, keyId);
      return known && { kind: 'key', known, ...times };
    }
    if (email !== null) {
      const person = await loadPerson(email, userId);
      if (!person) return null;
      const { chosen } = person;
      if (chosen && !chosen.platform) return { kind: 'operator', person, ...times };
      const known = chosen && (await findUserAsKey(db, chosen.userId));
      return chosen && !known ? null : { kind: 'user', person, known, ...times };
    }
    const isOperators = adminSecret !== undefined && operatorMark?.equals(markOf(token, adminSecret));
    return isOperators ? { kind: 'operator', person: null, ...times } : null;
  }

  /** Null: they may not sign in any more, or the platform of the session was closed. */
  async function loadPerson(email: string, userId: string | null): Promise<Person | null> {
    const choices = hasIssuer ? await findChoices(db, email, adminSecret !== undefined) : [];
    const chosen = choices.find((each) => each.userId === userId) ?? null;
    return choices.length === 0 || (userId !== null && !chosen) ? null : { email, choices, chosen };
  }

  async function end(token: string): Promise<void> {
    const session = await find(token);
    const sessionHash = hashOfSecret(token);
    await db.transaction(async (tx) => {
      if (!(await deleteSession(tx, sessionHash))) return;
      await announceKeyChange(tx);
      if (!session || session.kind === 'operator' || !session.known) return;
      const { caller } = session.known;
      const activity = { action: 'CONSOLE_SIGNED_OUT', target: caller.keyId, at: clock.now() } as const;
      await tx.inLedger(caller.group, (own) => recordOwnerActivity(own, ids, caller, activity));
    });
    lookUps.forget(token);
  }
}

/** Only with the cookie can a guess of the secret be tried against the database. */
function markOf(token: string, adminSecret: string): Buffer {
  return sha256(token, adminSecret);
}

function callerOf(session: Session): Caller {
  if (session.kind === 'operator') return { kind: 'operator', actor: actorOf(session) };
  return session.known?.caller ?? { kind: 'public' };
}

/** As in Activity, of a session of the operator. */
export function actorOf(session: Session): string {
  const person = personOf(session);
  return person ? `user:${person.email}` : 'operator';
}

/** Null: signed in with a key or the admin secret. */
export function personOf(session: Session): Person | null {
  return session.kind === 'key' ? null : session.person;
}

function failUnknownChoice(): never {
  return fail('NOT_FOUND', { message: 'You have no user with this id.' });
}

function hasEnded({ createdAt, lastUsedAt }: Session, now: Date): boolean {
  return now.getTime() - lastUsedAt.getTime() >= IDLE_MS || now >= endOf({ createdAt });
}

export function endOf({ createdAt }: Pick<Session, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + MAX_MS);
}

/** A session as it is stored. */
interface StoredSession {
  readonly keyId: string | null;
  readonly operatorMark: Buffer | null;
  readonly email: string | null;
  readonly userId: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

async function findSession(db: Queryable, sessionHash: Buffer): Promise<StoredSession | null> {
  const [session] = await db.query<StoredSession>(
    `select key_id, operator_mark, email, user_id, created_at, last_used_at
     from console_session where session_hash = $1`,
    [sessionHash],
  );
  return session ?? null;
}

/** Keeps a later time that another process stored. */
async function noteSessionUse(db: Queryable, sessionHash: Buffer, at: Date): Promise<void> {
  await db.query(
    `update console_session set last_used_at = $2 where session_hash = $1 and last_used_at < $2
     returning session_hash`,
    [sessionHash, at],
  );
}

/** False: there is no such user with the address of the session. */
async function saveChoice(
  tx: Tx,
  sessionHash: Buffer,
  email: string,
  userId: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `with signed_in as (
       update console_user set last_signed_in_at = $4 where user_id = $3 and email = $2 returning user_id
     )
     update console_session s set user_id = signed_in.user_id, viewed = '{}'
     from signed_in where s.session_hash = $1 and s.email = $2 returning s.session_hash`,
    [sessionHash, email, userId, at],
  );
  return rows.length > 0;
}

async function deleteSession(tx: Tx, sessionHash: Buffer): Promise<boolean> {
  const rows = await tx.query('delete from console_session where session_hash = $1 returning session_hash', [
    sessionHash,
  ]);
  return rows.length > 0;
}

/** Few rows, so no index: sessions created before `created` or not used since `used`. */
async function deleteEndedSessions(tx: Tx, created: Date, used: Date): Promise<void> {
  await tx.execute('delete from console_session where created_at <= $1 or last_used_at <= $2', [
    created,
    used,
  ]);
}

/** @returns whether this is the first time in the session. */
export async function markViewed(tx: Tx, sessionHash: Buffer, view: string): Promise<boolean> {
  const rows = await tx.query(
    `update console_session set viewed = viewed || $2::text
     where session_hash = $1 and not $2::text = any(viewed) returning session_hash`,
    [sessionHash, view],
  );
  return rows.length > 0;
}

export async function insertSignInLink(
  tx: Tx,
  link: { tokenHash: Buffer; keyHash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx.execute(
    `insert into console_sign_in (token_hash, key_id, expires_at)
     select $1, key_id, $3 from api_key where key_hash = $2`,
    [link.tokenHash, link.keyHash, link.expiresAt],
  );
}

/** The key that a link signs in with. The link is used up, also if it has expired. */
async function takeSignInLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<KnownKey | null> {
  const [link] = await tx.query<{ keyId: string; expiresAt: Date }>(
    'delete from console_sign_in where token_hash = $1 returning key_id, expires_at',
    [tokenHash],
  );
  return link && link.expiresAt > now ? findActiveKeyById(tx, link.keyId) : null;
}

type ViewedPlatform = Pick<
  KnownKey['caller'],
  'platformId' | 'platformName' | 'plan' | 'trustTier' | 'velocityExempt' | 'group'
>;

/** Also an inactive platform: the operator may have to see why. */
export async function findViewedPlatform(db: Queryable, platformId: string): Promise<ViewedPlatform | null> {
  const [platform] = await db.query<ViewedPlatform>(
    `select platform_id, name as "platformName", plan, trust_tier, velocity_exempt, group_id as "group"
     from platform where platform_id = $1`,
    [platformId],
  );
  return platform ?? null;
}
