import { domainToUnicode } from 'node:url';
import { parsedUrl } from './parsedUrl.js';
import { type Names, namesOf, sitesOf } from './sameParty.js';

export interface Operator {
  readonly name: string | null;
  readonly homepage: string | null;
  readonly did: string | null;
}

/** Declared facts of an agent. They are unchecked. */
export interface AgentFacts {
  readonly name: string | null;
  readonly description: string | null;
  readonly operator: Operator;
}

export interface BusinessFacts {
  readonly legalName: string | null;
  readonly tradingName: string | null;
  readonly homepage: string | null;
  readonly did: string | null;
}

export type Declared =
  | { readonly subjectType: 'AGENT'; readonly facts: AgentFacts }
  | { readonly subjectType: 'ORGANIZATION'; readonly facts: BusinessFacts };

/** The parties that cannot attest outcomes of the subject. */
export interface DeclaredParties {
  /** The platform that reports the subject operates or controls it itself. */
  readonly isOwn: boolean;
  readonly self: Names;
  readonly operator: Names;
}

export const NOTHING_DECLARED: DeclaredParties = { isOwn: false, self: new Set(), operator: new Set() };

export function declaredParties(declared: Declared, isOwn: boolean): DeclaredParties {
  if (declared.subjectType === 'AGENT') {
    const { name, operator } = declared.facts;
    return { isOwn, self: namesOf([name]), operator: identityNames([operator.name], operator) };
  }
  const { legalName, tradingName } = declared.facts;
  const self = identityNames([legalName, tradingName], declared.facts);
  return { isOwn, self, operator: new Set() };
}

/** The host of a homepage is a name too, with and without `www.`. */
function identityNames(
  names: readonly (string | null)[],
  { homepage, did }: Pick<Operator, 'homepage' | 'did'>,
): Names {
  const host = homepage === null ? null : (parsedUrl(homepage)?.host ?? null);
  const hosts = namesOf(host === null ? [] : [host, domainToUnicode(host)]);
  return new Set([...namesOf(names), ...hosts, ...sitesOf([homepage, did])]);
}

/** The changes of a declaration to the previous one. */
export type Change<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** Absent keys keep their value; null removes it. */
export function changed<T extends object>(before: T, change: Change<T>): T {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}

/** The values that differ between two declarations, by their dotted names. */
export function changesBetween(
  before: object,
  after: object,
): Record<string, { readonly from: unknown; readonly to: unknown }> {
  const [old, now] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
  const names = [...now.keys()].filter((name) => now.get(name) !== (old.get(name) ?? null));
  return Object.fromEntries(names.map((name) => [name, { from: old.get(name) ?? null, to: now.get(name) }]));
}

function leavesOf(value: object, path = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    typeof inner === 'object' && inner !== null
      ? leavesOf(inner, `${path}${name}.`)
      : [[`${path}${name}`, inner]],
  );
}
