import type { FastifyBaseLogger } from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '../../domain/errorCatalog.js';
import type { ServiceError } from '../../domain/errors.js';
import type { Answer, HandlerAnswer, MediaAnswer } from './answer.js';

/** Who may call an operation. Every route names one; leaving it out does not compile. */
export type Access = PublicAccess | KeyAccess | OperatorAccess;

export interface PublicAccess {
  readonly kind: 'public';
}

export interface KeyAccess {
  readonly kind: 'key';
  /** null: any valid key. */
  readonly scope: { readonly resource: ScopeResource; readonly action: RouteAction } | null;
  /** Closed to keys without any write action where the platform has `confirmationsRequireWrite` set. */
  readonly asks?: true;
}

/** A key, or the operator on behalf of a platform: such routes have an operator's twin (operatorTwins.ts). */
export interface KeyOrOperatorAccess extends KeyAccess {
  readonly isOperatorsToo: true;
}

/** `byMethod`: read for GET and HEAD, else write. `either`: a key with any of the two may. */
export type RouteAction = 'read' | 'write' | 'byMethod' | 'either';

export interface OperatorAccess {
  readonly kind: 'operator';
}

/** What only some plans open. */
export type PlanFeature = 'campaigns' | 'screenings' | 'agents';

export type ScopeResource = 'events' | 'scores' | 'usage' | 'webhooks' | 'admin';

/** Open to everyone, including scripts of any website. */
export const everyone: PublicAccess = { kind: 'public' };
/** A caller with the installation's admin secret. */
export const operator: OperatorAccess = { kind: 'operator' };
/** A platform's key with the scope: by default read for GET and write for other methods. */
export function keyFor(resource: ScopeResource, action: RouteAction = 'byMethod'): KeyAccess {
  return { kind: 'key', scope: { resource, action } };
}
/** As `keyFor`, and the operator may do the same under `/admin/platforms/{id}`. Handlers use `owner`, not `caller`. */
export function keyOrOperatorFor(
  resource: ScopeResource,
  action: RouteAction = 'byMethod',
): KeyOrOperatorAccess {
  return { ...keyFor(resource, action), isOperatorsToo: true };
}
/** Any valid key, whatever its scopes. */
export const anyKey: KeyAccess = { kind: 'key', scope: null };
/** Any valid key asks a counterparty to confirm, unless the platform requires a write action for it. */
export const anyKeyToAsk: KeyAccess = { kind: 'key', scope: null, asks: true };

/** The platform whose resources a request is about, and the actor: the platform of the key, or the one that the operator named. */
export interface Owner {
  readonly platformId: string;
  readonly livemode: boolean;
  /** Sets the caps. */
  readonly plan: 'starter' | 'growth' | 'enterprise';
  /** As in Activity: `key:<key id>` or `operator`. */
  readonly actor: string;
}

/** The platform behind a key, as handlers see it. */
export interface KeyCaller extends Owner {
  readonly kind: 'key';
  readonly platformName: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly trustTier: 'ENTERPRISE' | 'GROWTH' | 'STARTER' | 'SELF_REPORTED';
  readonly velocityExempt: boolean;
  /** What holds for the platform, its plan's or its own; 0 is without limit. */
  readonly rateLimitPerMinute: number;
  readonly monthlyQuota: number;
  /** Maximum lifetime in days of new keys; null: unlimited. */
  readonly maxKeyLifetimeDays: number | null;
  /** Opening or cancelling confirmations and references needs a key with some write action. */
  readonly confirmationsRequireWrite: boolean;
}

export interface OperatorCaller {
  readonly kind: 'operator';
}

export interface PublicCaller {
  readonly kind: 'public';
}

export type CallerOf<A extends Access> = A extends KeyOrOperatorAccess
  ? KeyCaller | OperatorCaller
  : A extends KeyAccess
    ? KeyCaller
    : A extends OperatorAccess
      ? OperatorCaller
      : PublicCaller;

export type OwnerOf<A extends Access> = A extends KeyAccess ? Owner : null;

export type Caller = KeyCaller | OperatorCaller | PublicCaller;

/**
 * A claim to do a request once (RULES I1). `secret` is what the caller alone knows: its credential and the key it
 * chose; answers with a once-only secret are sealed under it.
 */
export interface IdempotencyClaim {
  readonly keyId: string;
  readonly platformId: string | null;
  readonly livemode: boolean;
  readonly fingerprint: Buffer;
  readonly secret: string;
}

export interface RequestContext<A extends Access, Body, Query, Params> {
  readonly caller: CallerOf<A>;
  /** The platform whose resources are meant; null for routes without a key. */
  readonly owner: OwnerOf<A>;
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  /** Set when the caller sent an Idempotency-Key and the route is `idempotent`. */
  readonly claim: IdempotencyClaim | null;
  /** Only for routes with `itemsStandAlone`: some item contains text that cannot be stored. */
  readonly hasUnstorableText: boolean;
  /** Of the connection; behind a proxy the proxy's. */
  readonly remoteAddress: string;
  /** Of the client, as far as TRUST_PROXY says which proxies to believe. */
  readonly clientAddress: string;
  /** Only the head of the answer is asked for. GET and HEAD share a handler. */
  readonly isHead: boolean;
  header(name: string): string | undefined;
  readonly log: FastifyBaseLogger;
}

/** An announced end of an operation (RULES Y3). */
export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
  /** Page that explains the change. */
  readonly link: string;
  readonly replacement: string;
}

/** What an operation answers when it succeeds, by status; `null` is an answer without a body. */
export type Answers = Readonly<Record<number, z.ZodType | MediaAnswer | null>>;

/** One entry of the route table: everything that defines an operation. */
export interface Route<
  A extends Access = Access,
  Body = unknown,
  Query = unknown,
  Params = unknown,
  Result extends Answer = Answer,
> {
  readonly access: A;
  /** What a generated client calls the operation: a verb and its object in camelCase, unique; it never changes. */
  readonly operationId: string;
  readonly summary: string;
  /** What it does, when to use it and what it never does, in Markdown. */
  readonly description: string;
  readonly tag: string;
  /** Open to plans that have this feature, and to every test key. */
  readonly plan?: PlanFeature;
  /** No rate limit: what watches over the service must not be turned away (RULES M2). */
  readonly unmetered?: true;
  /** Neither counted against the monthly quota nor refused when it is spent. */
  readonly quotaFree?: true;
  /** Takes an Idempotency-Key. The handler gets the claim and commits it together with what it writes. */
  readonly idempotent?: true;
  readonly body?: z.ZodType<Body>;
  /**
   * The data is stored permanently, so nothing of the body may be lost silently: a duplicate name in an object and a misspelt field
   * are refused, and integers keep every digit.
   */
  readonly writesLedger?: true;
  /** A bad item of the body fails alone, so a text that cannot be stored is left to the handler to find. */
  readonly itemsStandAlone?: true;
  /** Takes its body as an HTML form sends it, and no JSON. */
  readonly form?: true;
  /** Also takes text/csv: the bytes are then under `csv` in the body, where JSON has the text (of more than 1 MiB its bytes, too). */
  readonly csvBody?: { readonly example: string };
  /** Where it takes larger bodies than others do: 1 MiB, without a key 16 KiB. */
  readonly bodyLimitBytes?: number;
  /** The body may be left out altogether. */
  readonly bodyOptional?: true;
  readonly query?: z.ZodType<Query>;
  readonly params?: z.ZodType<Params>;
  readonly answers: Answers;
  /** Codes of the catalogue this operation can answer with, besides those that follow from the route itself. */
  readonly errors?: readonly ErrorCode[];
  /** The error code for an invalid query, if the operation has its own. */
  readonly queryError?: (path: string) => ErrorCode;
  readonly deprecated?: Deprecation;
  /** For pages: renders errors as pages, too. Scripts of other websites cannot read such a route. */
  readonly errorPage?: (error: ServiceError, request: FailedRequest) => Answer;
  /** Errors have the shape that another standard requires (RULES W4). */
  readonly errorShape?: ErrorShape;
  handle(context: RequestContext<A, Body, Query, Params>): Promise<Result> | Result;
}

export interface ErrorShape {
  /** The API reference uses its description for all errors. */
  readonly schema: z.ZodType;
  answer(error: ServiceError): Answer;
}

/** A failed request as it was sent: its data may be invalid. */
export interface FailedRequest {
  readonly requestId: string;
  readonly query: unknown;
  readonly body: unknown;
  header(name: string): string | undefined;
}

/** Table of operations: 'GET /users' is under /api/v1, 'GET !/health' at the root. */
export type RouteTable = Readonly<Record<string, Route>>;

/** Infers the handler's input and answer types from the schemas of the route. */
export function route<
  A extends Access,
  Result extends Answers,
  Body = undefined,
  Query = undefined,
  Params = undefined,
>(definition: Route<A, Body, Query, Params, HandlerAnswer<Result>> & { readonly answers: Result }): Route {
  // The table holds routes of different types; each is called only with input that its own schemas have parsed.
  return definition as unknown as Route;
}

export const API_PREFIX = '/api/v1';

export interface Operation {
  /** As counters and reports call it: 'GET /users/{id}/score'. */
  readonly name: string;
  readonly method: string;
  /** With `{name}` placeholders. */
  readonly path: string;
  readonly route: Route;
}

/** The routes of the table with method and path. */
export function operationsOf(table: RouteTable): Operation[] {
  return Object.entries(table).map(([name, route]) => {
    const [method = '', path = ''] = name.split(' ');
    return {
      name: name.replace('!', ''),
      method,
      path: path.startsWith('!') ? path.slice(1) : API_PREFIX + path,
      route,
    };
  });
}

/** The address as the router takes it: `/users/:id` for `/users/{id}`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
