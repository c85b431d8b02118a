import { namesTaken } from '../../domain/misspelt.js';
import type { Access, Operation, RequestContext } from './route.js';

/** A subject as a request names it: by a platform's own id, or by the id of the subject itself. */
export type NamedSubject =
  | { readonly platformId: string; readonly livemode: boolean; readonly externalId: string }
  | { readonly subjectId: string };

/** Throws if nothing may be read or written about the subject. */
export type RefuseSubject = (subject: NamedSubject) => void;

type Context = RequestContext<Access, unknown, unknown, unknown>;
type FindNamed = (context: Context) => readonly NamedSubject[];

/**
 * How requests of the operation name one subject: in the path, or as `userId` in query and body.
 * Null: they name none, or several.
 */
export function namedSubjectsOf({ name, route }: Operation): FindNamed | null {
  if (route.answersErased) return null;
  const [, path = ''] = name.split(' ');
  if (path.startsWith('/admin/users/{id}')) return namedByOperator;
  const inPath = /\/users\/\{(\w+)\}/.exec(path)?.[1];
  const isIn = [route.query, route.body].map((schema) =>
    Boolean(schema && namesTaken(schema)?.has('userId')),
  );
  if (inPath === undefined && !isIn.includes(true)) return null;
  return ({ owner, params, query, body }) => {
    const platform = owner ?? { platformId: textOf(params, 'id') ?? '', livemode: true };
    const { platformId, livemode } = platform;
    const named = [
      inPath === undefined ? null : textOf(params, inPath),
      textOf(query, 'userId'),
      textOf(body, 'userId'),
    ];
    return named.flatMap((externalId) => (externalId === null ? [] : [{ platformId, livemode, externalId }]));
  };
}

/** By the subject's own id, or with `platformId` by an external id of either mode (RULES U5). */
function namedByOperator({ params, query }: Context): NamedSubject[] {
  const id = textOf(params, 'id') ?? '';
  const platformId = textOf(query, 'platformId');
  if (platformId === null) return [{ subjectId: id.toLowerCase() }];
  const livemode = textOf(query, 'mode') !== 'test';
  return [{ platformId, livemode, externalId: id }];
}

function textOf(from: unknown, name: string): string | null {
  if (typeof from !== 'object' || from === null) return null;
  const value = (from as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}
