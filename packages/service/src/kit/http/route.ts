import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '#domain/errorCatalog.js';
import type { ServiceError } from '#domain/errors.js';
import { groupOfToken } from '../ids.js';
import { packageFile } from '../packageFile.js';
import type { Answer, HandlerAnswer, MediaAnswer, TypedAnswer } from './answer.js';

/** Who may call an operation. Required in every route. */
export type Access = PublicAccess | KeyAccess | OperatorAccess;

export type PublicAccess = { readonly kind: 'public' };
type OperatorAccess = { readonly kind: 'operator' };
/** `actor` is `operator`, or `user:<email>` in a session of the console. */
export type OperatorCaller = OperatorAccess & { readonly actor: string };

export interface KeyAccess {
  readonly kind: 'key';
  /** null: any valid key. */
  readonly scope: { readonly resource: ScopeResource; readonly action: RouteAction } | null;
  /** Refused for keys without a write action if the platform has set `confirmationsRequireWrite`. */
  readonly asks?: true;
}

/** A key, or the operator on behalf of a platform: these routes have an operator twin (operatorTwins.ts). */
type KeyOrOperatorAccess = KeyAccess & { readonly isOperatorsToo: true };

/** `byMethod`: read for GET and HEAD, else write. `either`: read or write is enough. */
export type RouteAction = 'read' | 'write' | 'byMethod' | 'either';

export type PlanFeature = 'campaigns' | 'screenings' | 'agents';

export type ScopeResource = 'events' | 'scores' | 'usage' | 'webhooks' | 'admin';

export const everyone: PublicAccess = { kind: 'public' };
export const operator: OperatorAccess = { kind: 'operator' };
/** A platform's key with the scope: by default read for GET and write for other methods. */
export function keyFor(resource: ScopeResource, action: RouteAction = 'byMethod'): KeyAccess {
  return { kind: 'key', scope: { resource, action } };
}
/** As `keyFor`, and the operator under `/admin/platforms/{id}`. Handlers use `owner`, not `caller`. */
export function keyOrOperatorFor(...scope: Parameters<typeof keyFor>): KeyOrOperatorAccess {
  return { ...keyFor(...scope), isOperatorsToo: true };
}
export const anyKey: KeyAccess = { kind: 'key', scope: null };
/** Any valid key, to ask a counterparty for a confirmation. A platform can require a write action for it. */
export const anyKeyToAsk: KeyAccess = { kind: 'key', scope: null, asks: true };

/** The platform whose resources a request is about, and the actor. The operator names the platform. */
export interface Owner {
  readonly platformId: string;
  readonly livemode: boolean;
  /** Determines the limits. */
  readonly plan: 'starter' | 'growth' | 'enterprise';
  /** As in Activity: `key:<key id>`, `user:<email>` or `operator`. */
  readonly actor: string;
  readonly group: number;
}

export interface KeyCaller extends Owner {
  readonly kind: 'key';
  readonly platformName: string;
  /** The id of the key, or of the user. */
  readonly keyId: string;
  /** A person with a role, in a session of the console. There is no key. */
  readonly isUser?: true;
  readonly scopes: readonly string[];
  readonly trustTier: 'ENTERPRISE' | 'GROWTH' | 'STARTER' | 'SELF_REPORTED';
  readonly velocityExempt: boolean;
  /** The limit of the platform or of its plan; 0: unlimited. */
  readonly rateLimitPerMinute: number;
  readonly monthlyQuota: number;
  /** Maximum lifetime in days of new keys; null: unlimited. */
  readonly maxKeyLifetimeDays: number | null;
  /** Opening or cancelling confirmations and references needs a key with some write action. */
  readonly confirmationsRequireWrite: boolean;
  /** The operator reads as this platform, in the console. Such reads are not the platform's usage. */
  readonly isOperatorsView?: true;
  /** For a session of the console: whether it is still open. Asking does not count as using it. */
  isSignedIn?(): Promise<boolean>;
}

export type CallerOf<A extends Access> = A extends KeyOrOperatorAccess
  ? KeyCaller | OperatorCaller
  : A extends KeyAccess
    ? KeyCaller
    : A extends OperatorAccess
      ? OperatorCaller
      : PublicAccess;

export type OwnerOf<A extends Access> = A extends KeyAccess ? Owner : null;

export type Caller = KeyCaller | OperatorCaller | PublicAccess;

/** A claim to execute a request once (RULES I1). */
export interface IdempotencyClaim {
  readonly keyId: string;
  readonly platformId: string | null;
  readonly livemode: boolean;
  readonly fingerprint: Buffer;
  /** Known only to the caller. Answers with a secret that is shown once are encrypted under it. */
  readonly secret: string;
}

export interface RequestContext<A extends Access, Body, Query, Params> {
  readonly caller: CallerOf<A>;
  /** The platform whose resources the request is about; null for routes without a key. */
  readonly owner: OwnerOf<A>;
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  /** Set if the caller sent an Idempotency-Key and the route is `idempotent`. */
  readonly claim: IdempotencyClaim | null;
  /** Only for routes with `itemsStandAlone`: some item contains text that cannot be stored. */
  readonly hasUnstorable: boolean;
  /** The peer address of the connection: behind a proxy, the proxy. */
  readonly remoteAddress: string;
  /** The address of the client, from the proxies that TRUST_PROXY trusts. */
  readonly clientAddress: string;
  /** The request is HEAD. GET and HEAD share a handler. */
  readonly isHead: boolean;
  header(name: string): string | undefined;
  log(): FastifyBaseLogger;
  /** Calls another operation as this caller: the same admission, limits and metering apply to it. */
  fetchAsCaller(asked: Request): Promise<Response>;
}

export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
  readonly link: string;
  readonly replacement: string;
}

export function byShareToken({ params }: { readonly params: { readonly token: string } }): number | null {
  return groupOfToken(params.token);
}

export type Answers = Readonly<Record<number, z.ZodType | MediaAnswer | null>>;

/** One entry of the route table: everything that defines an operation. */
export interface Route<
  A extends Access = Access,
  Body = unknown,
  Query = unknown,
  Params = unknown,
  Result extends Answer = Answer,
> extends OperationText {
  readonly access: A;
  /** A unique verb and object in camelCase. Generated clients have it, so it never changes. */
  readonly operationId: string;
  readonly tag: string;
  /** The operation whose texts and examples it has, besides those of its path. */
  readonly twinOf?: string;
  /** Available on plans with this feature, and to every test key. */
  readonly plan?: PlanFeature;
  /** No rate limit, for operations that monitor the service (RULES M2). */
  readonly unmetered?: true;
  /** Requests of anonymous callers count apart, up to ten times their usual limit: a large log takes thousands to read. */
  readonly isBulk?: true;
  /** Requests a minute with one `{token}` of the path, from all addresses together. Unknown tokens count, too. */
  readonly perTokenPerMinute?: number;
  /** Not counted against the monthly quota, and not refused when it is used up. */
  readonly quotaFree?: true;
  /** Accepts an Idempotency-Key. The handler commits the claim together with its writes. */
  readonly idempotent?: true;
  /** Names that look like misspelt names of it are refused. */
  readonly body?: z.ZodType<Body>;
  /** Answers for erased subjects, too: others refuse a request that names one. */
  readonly answersErased?: true;
  /** Items fail alone, so the handler checks for texts that cannot be stored. */
  readonly itemsStandAlone?: true;
  readonly form?: true;
  /** Also accepts text/csv, as bytes in `csv`. Of JSON that is a text, or the bytes of a long one. */
  readonly csvBody?: true;
  /** The handler gets the text of the body. Its type: default `text/plain`. */
  readonly textBody?: true | 'application/json';
  /** Also accepts a form: of a page whose address is an operation, too. */
  readonly formBody?: true;
  /** Default: 1 MiB, without a key 16 KiB. */
  readonly bodyLimitBytes?: number;
  readonly bodyOptional?: true;
  readonly query?: z.ZodType<Query>;
  readonly params?: z.ZodType<Params>;
  readonly answers: Answers;
  /** Error codes of the operation, besides those that follow from the route itself. */
  readonly errors?: readonly ErrorCode[];
  /** The error code for an invalid query, if the operation has its own. */
  readonly queryError?: (path: string) => ErrorCode;
  readonly deprecated?: Deprecation;
  /** For pages: renders errors as pages. Scripts of other websites cannot read such a route. */
  readonly errorPage?: (error: ServiceError, request: FailedRequest) => Answer;
  /** For pages of this service: scripts of other websites get neither preflight nor CORS headers. */
  readonly sameOrigin?: true;
  /** For errors in the shape of another standard (RULES W4). */
  readonly errorShape?: ErrorShape;
  /**
   * The ledger group that serves the request. Null or a group that does not exist: group 0, where
   * what the request names is unknown, too. Default: that of the key, or of the platform in an
   * operator's path, else group 0.
   * @param directory finds the group of a subject, by its id. Group 0 for an unknown one.
   */
  groupOf?(
    context: RequestContext<A, Body, Query, Params>,
    directory: { ofSubject(subjectId: string): Promise<number> },
  ): Promise<number> | number | null;
  /** Makes one answer of those of all groups: every group serves the request. */
  joinGroups?(answers: readonly Result[]): Result;
  handle(context: RequestContext<A, Body, Query, Params>): Promise<Result> | Result;
}

export interface ErrorShape {
  /** Its description is used for all errors in the API reference. */
  readonly schema: z.ZodType;
  answer(error: ServiceError): Answer;
}

export interface FailedRequest {
  readonly requestId: string;
  readonly query: unknown;
  readonly body: unknown;
  header(name: string): string | undefined;
}

/** The operations by address: `GET /users` is under /api/v1, `GET !/health` at the root. */
export type RouteTable = Readonly<Record<string, Route>>;

/** A route as it is written. Its texts are in `operations/`, unless they are made from values. */
type Definition<A extends Access, Body, Query, Params, Result extends Answer> = Omit<
  Route<A, Body, Query, Params, Result>,
  keyof OperationText
> &
  Partial<OperationText>;

/** Infers the handler's input and answer types from the schemas of the route. */
export function route<
  A extends Access,
  Result extends Answers,
  Body = undefined,
  Query = undefined,
  Params = undefined,
>(
  definition: Definition<A, Body, Query, Params, HandlerAnswer<Result>> & { readonly answers: Result },
): Route {
  const described = { ...operationTexts().get(definition.operationId), ...definition };
  if (!described.description) throw new Error(`operations/ has no text of ${definition.operationId}`);
  // The table has routes of different types. Each is called only with input that its own schemas
  // have parsed.
  return described as unknown as Route;
}

export const API_PREFIX = '/api/v1';

/** Says where the result will be. A replayed answer is the stored body without headers. */
export function withLocation<Body>(answer: TypedAnswer<202, Body>, path: string): TypedAnswer<202, Body> {
  return { ...answer, headers: { ...answer.headers, Location: `${API_PREFIX}${path}` } };
}

export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly route: Route;
}

export function operationsOf(table: RouteTable): Operation[] {
  return Object.entries(table).map(([name, route]) => {
    const [method = '', address = ''] = name.split(' ');
    const path = address.startsWith('!') ? address.slice(1) : API_PREFIX + address;
    return { name: name.replace('!', ''), method, path, route };
  });
}

/** `/users/:id` for `/users/{id}`. A `{rest}` at the end matches the rest with its slashes. */
export function routerPath(path: string): string {
  return path.replace(/\{rest\}$/, '*').replace(/\{(\w+)\}/g, ':$1');
}

interface OperationText {
  readonly summary: string;
  /** What it does, when to use it and what it never does. */
  readonly description: string;
}

const FOLDER = packageFile('operations/');
/** A line that only continues a paragraph: no empty line before it, no list item, no row of a table. */
const CONTINUED = /([^\n])\n(?!\n|- |\d{1,3}\. |\|)/g;

let texts: ReadonlyMap<string, OperationText> | undefined;

/** The texts of `operations/*.md` by operation id: a heading, a paragraph that is the summary, the description. */
export function operationTexts(): ReadonlyMap<string, OperationText> {
  texts ??= new Map(
    readdirSync(FOLDER).flatMap((file) => {
      const [, ...sections] = readFileSync(new URL(file, FOLDER), 'utf8').split(/^## /m);
      return sections.map((section) => {
        const [id = '', summary = '', ...rest] = section.trim().split('\n\n');
        return [id, { summary, description: rest.join('\n\n').replace(CONTINUED, '$1 ') }] as const;
      });
    }),
  );
  return texts;
}
