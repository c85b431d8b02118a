import type { operationTable } from './generated/operations.js';
import type { operations } from './generated/schema.js';

type Table = typeof operationTable;
/** The name of an operation: `recordEvent`, `readScore`, … */
export type OperationId = keyof Table & keyof operations;

/** Settings of one call. */
export interface CallOptions {
  /** Aborts the call, also between two tries. */
  signal?: AbortSignal | undefined;
  /** Replaces the key that is drawn for each write. Use your own to survive a restart. */
  idempotencyKey?: string | undefined;
  /** Additional headers, for example `If-None-Match`. */
  headers?: Record<string, string> | undefined;
}

type Path<Id extends OperationId> = Table[Id] extends `${string} ${infer P} ${string}`
  ? P
  : Table[Id] extends `${string} ${infer P}`
    ? P
    : never;
type Flags<Id extends OperationId> = Table[Id] extends `${string} ${string} ${infer F}` ? F : '';
type HasFlag<
  Id extends OperationId,
  Flag extends string,
> = ` ${Flags<Id>} ` extends `${string} ${Flag} ${string}` ? true : false;

type PathArguments<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? [id: string | number, ...PathArguments<Rest>]
  : [];

type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
type QueryArgument<Id extends OperationId> =
  Record<never, never> extends Query<Id> ? [query?: Query<Id>] : [query: Query<Id>];

type Content<T> = T extends { content: infer C } ? C[keyof C & `${string}json`] : never;
type Body<Id extends OperationId> =
  | Content<NonNullable<operations[Id]['requestBody']>>
  | (HasFlag<Id, 'csv' | 'plain'> extends true ? string : never);
type BodyArgument<Id extends OperationId> = undefined extends operations[Id]['requestBody']
  ? [body?: Body<Id>]
  : [body: Body<Id>];

type Success<Id extends OperationId> = operations[Id]['responses'][keyof operations[Id]['responses']];
/** What an operation returns: its JSON; the text of one that has no JSON; nothing for 204. */
export type Answer<Id extends OperationId> =
  Success<Id> extends { content: infer C }
    ? keyof C & `${string}json` extends never
      ? string
      : C[keyof C & `${string}json`]
    : undefined;

type Input<Id extends OperationId> =
  HasFlag<Id, 'body'> extends true
    ? [
        ...BodyArgument<Id>,
        options?: CallOptions & (HasFlag<Id, 'query'> extends true ? { query?: Query<Id> } : unknown),
      ]
    : HasFlag<Id, 'query'> extends true
      ? [...QueryArgument<Id>, options?: CallOptions]
      : [options?: CallOptions];

type ItemsName<Id extends OperationId> = Flags<Id> extends `${string}items=${infer Name}` ? Name : never;
type Item<Id extends OperationId> =
  Answer<Id> extends infer A
    ? ItemsName<Id> extends keyof A
      ? A[ItemsName<Id>] extends readonly (infer I)[]
        ? I
        : never
      : never
    : never;

type Call<Id extends OperationId> = (
  ...args: [...PathArguments<Path<Id>>, ...Input<Id>]
) => Promise<Answer<Id>>;

interface Paged<Id extends OperationId> {
  /** Every item, page after page. */
  each(...args: [...PathArguments<Path<Id>>, ...Input<Id>]): AsyncGenerator<Item<Id>, void>;
  /** The pages, one after the other. */
  pages(...args: [...PathArguments<Path<Id>>, ...Input<Id>]): AsyncGenerator<Answer<Id>, void>;
}

/**
 * An operation as a method: the parts of its path first, then its body or else its query, then
 * options.
 */
export type Method<Id extends OperationId> = Call<Id> & (ItemsName<Id> extends never ? unknown : Paged<Id>);

export type Methods = { readonly [Id in OperationId]: Method<Id> };
