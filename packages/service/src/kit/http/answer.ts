import type { Readable } from 'node:stream';
import type { z } from 'zod';

export interface Answer {
  readonly status: number;
  readonly body: object | string | Readable | null;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of JSON.stringify. */
  readonly serialize?: (body: never) => string;
  /** A stream stays open as long as its reader, so it is counted when it begins. */
  readonly isOpenEnded?: true;
}

/** An answer whose status and body the compiler checks against the `answers` of its route. */
export interface TypedAnswer<Status extends number, Body> extends Answer {
  readonly status: Status;
  readonly body: Body & Answer['body'];
}

type AnswerOf<Answers> = {
  [Status in keyof Answers & number]: TypedAnswer<Status, BodyOf<Answers[Status]>>;
}[keyof Answers & number];

/** A handler returns what its route's `answers` allow, or a body that is already text. */
export type HandlerAnswer<Answers> = AnswerOf<Answers> | SerializedAnswer;

declare const serialized: unique symbol;

/** Text or bytes, such as a page: the compiler cannot compare it with a schema, the tests do. */
export interface SerializedAnswer extends Answer {
  readonly [serialized]: true;
}

type OfText = { body: string | Buffer | null } | { serialize: NonNullable<Answer['serialize']> };

export function serializedAnswer(answer: Answer & OfText): SerializedAnswer {
  return answer as unknown as SerializedAnswer;
}

type BodyOf<Schema> = Schema extends z.ZodType
  ? ReadonlyDeep<z.output<Schema>>
  : Schema extends { readonly json: infer Json extends z.ZodType }
    ? ReadonlyDeep<z.output<Json>> | string | Readable
    : Schema extends MediaAnswer
      ? string | Readable
      : null;

/** Handlers may return read-only data: the rows of a page, a constant. */
export type ReadonlyDeep<Value> = Value extends Date
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
    : Value;

/** An answer in media other than JSON, or in JSON and another one. */
export interface MediaAnswer {
  readonly json?: z.ZodType;
  readonly media: readonly { readonly type: string; readonly schema?: z.ZodType }[];
}

export function isMediaAnswer(answer: z.ZodType | MediaAnswer): answer is MediaAnswer {
  return 'media' in answer;
}

export const REPLAYED = { 'Idempotent-Replay': 'true' } as const;

type Headers = Record<string, string>;

export function ok<const Body extends object>(body: Body, headers?: Headers): TypedAnswer<200, Body> {
  return { status: 200, body, headers };
}

export function created<const Body extends object>(body: Body, headers?: Headers): TypedAnswer<201, Body> {
  return { status: 201, body, headers };
}

export function noContent(): TypedAnswer<204, null> {
  return { status: 204, body: null };
}

export function media<Body extends string | Readable>(
  type: string,
  body: Body,
  headers?: Headers,
): TypedAnswer<200, Body> {
  return { status: 200, body, headers: { ...headers, 'Content-Type': type } };
}
