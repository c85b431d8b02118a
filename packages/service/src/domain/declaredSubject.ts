import { parsedUrl } from './parsedUrl.js';
import { partyKeyOf } from './sameParty.js';

/** Who runs an agent; at least one of the three where it is not the platform itself. */
export interface Operator {
  readonly name: string | null;
  readonly homepage: string | null;
  readonly did: string | null;
}

/** What is declared of an agent (INTERFACE 2.5, DECISIONS 9). Nobody has checked it. */
export interface AgentFacts {
  readonly name: string | null;
  readonly description: string | null;
  readonly operator: Operator;
}

/** What is declared of a business. */
export interface BusinessFacts {
  readonly legalName: string | null;
  readonly tradingName: string | null;
  readonly homepage: string | null;
  readonly did: string | null;
}

/** A subject that says what it is, as it stands in the database. */
export type Declared =
  | { readonly subjectType: 'AGENT'; readonly facts: AgentFacts }
  | { readonly subjectType: 'ORGANIZATION'; readonly facts: BusinessFacts };

/** Whether anybody is named at all. */
export function isDeclared(identity: Operator | BusinessFacts): boolean {
  return Object.values(identity).some((value) => value !== null);
}

/** Keys (sameParty) of whatever names the subject itself, and of whatever names the one who answers for it. */
export interface PartyKeys {
  readonly self: ReadonlySet<string>;
  readonly operator: ReadonlySet<string>;
}

interface Named {
  readonly externalId: string;
  readonly declared: Declared | null;
  /** The platform that reports the subject, where it operates or controls it itself. */
  readonly ownPlatform: string | null;
}

/** Witnesses who are none, since they are the subject or the one who runs it. */
export function partyKeysOf(members: readonly Named[]): PartyKeys {
  const self = members.flatMap(({ externalId, declared }) => [externalId, ...ownNames(declared)]);
  const operator = members.flatMap(({ declared, ownPlatform }) => [
    ownPlatform,
    ...(declared?.subjectType === 'AGENT' ? identityNames(declared.facts.operator) : []),
  ]);
  return { self: keysOf(self), operator: keysOf(operator) };
}

function ownNames(declared: Declared | null): (string | null)[] {
  if (!declared) return [];
  if (declared.subjectType === 'AGENT') return [declared.facts.name];
  const { legalName, tradingName } = declared.facts;
  return [legalName, tradingName, ...identityNames({ ...declared.facts, name: null })];
}

/** A homepage also names by its host alone. */
function identityNames({ name, homepage, did }: Operator): (string | null)[] {
  const host = homepage === null ? null : (parsedUrl(homepage)?.host ?? null);
  return [name, homepage, host, did];
}

function keysOf(names: readonly (string | null)[]): Set<string> {
  const keys = names.map((name) => (name === null ? '' : partyKeyOf(name)));
  return new Set(keys.filter((key) => key !== ''));
}
