import { fourDecimals } from '../points.js';
import {
  type Confirmations,
  countBy,
  findingOf,
  isPositive,
  mostOf,
  NEVER,
  type RiskEvent,
  type Signal,
  share,
  totalOf,
} from './riskFacts.js';

/* Signals of who confirms the outcomes of a subject. */

const MIN_ATTESTED = 5;
const MIN_RING = 3;
const MAX_NAMED = 10;

function attestersOf(events: readonly RiskEvent[]): Map<string, number> {
  return countBy(events, ({ attester }) => attester);
}

/** Reports the Herfindahl index and its inverse, the effective number of attesters. */
export const singleWitness: Signal = ({ events, names }) => {
  const counts = attestersOf(events);
  const attested = totalOf(counts);
  const most = mostOf(counts);
  if (!most || attested < MIN_ATTESTED || most.count * 2 <= attested) return null;
  const topShare = share(most.count, attested);
  const index = [...counts.values()].reduce((sum, count) => sum + (count / attested) ** 2, 0);
  return findingOf(
    topShare,
    { low: 0, elevated: 0.75, high: attested >= 10 ? 0.9 : NEVER },
    {
      witness: names.get(most.key) ?? most.key,
      confirmedByIt: most.count,
      witnessedEvents: attested,
      distinctWitnesses: counts.size,
      topShare,
      concentration: fourDecimals(index),
      effectiveWitnesses: Math.round(100 / index) / 100,
    },
  );
};

/** Reciprocity of a pair: 2·min(a, b) / (a + b). */
export const reciprocalConfirmation: Signal = ({ self, events, confirmations, names }) => {
  const counts = attestersOf(events);
  const pairs = [...counts]
    .map(([attester, received]) => {
      const given = confirmations.get(attester)?.get(self) ?? 0;
      return { attester, received, given, weight: Math.min(received, given) };
    })
    .filter(({ given }) => given > 0)
    .sort((left, right) => right.weight - left.weight || (left.attester < right.attester ? -1 : 1));
  const [strongest] = pairs;
  if (!strongest) return null;
  const attested = totalOf(counts);
  const mutual = pairs.reduce((sum, pair) => sum + pair.received, 0);
  const mutualShare = share(mutual, attested);
  return findingOf(
    mutualShare,
    { low: 0, elevated: 0.2, high: mutual >= 5 ? 0.5 : NEVER },
    {
      witness: names.get(strongest.attester) ?? strongest.attester,
      received: strongest.received,
      given: strongest.given,
      reciprocity: share(2 * strongest.weight, strongest.received + strongest.given),
      pairs: pairs.length,
      witnessedEvents: attested,
      mutualShare,
    },
  );
};

/** The strongly connected component of the subject. Density: 2E / (k·(k − 1)), each pair once. */
export const sharedWitnessRing: Signal = ({ self, events, confirmations, names }) => {
  const own = attestersOf(events);
  const graph: Confirmations = new Map([...confirmations, [self, own]]);
  const ring = componentOf(self, graph);
  if (ring.size < MIN_RING) return null;
  const attested = totalOf(own);
  const fromRing = totalOf(new Map([...own].filter(([attester]) => ring.has(attester))));
  const ringShare = share(fromRing, attested);
  const others = [...ring].filter((member) => member !== self).sort();
  return findingOf(
    ringShare,
    { low: 0, elevated: 0.2, high: fromRing >= 5 ? 0.5 : NEVER },
    {
      members: ring.size,
      others: others
        .slice(0, MAX_NAMED)
        .map((key) => names.get(key) ?? key)
        .join(', '),
      density: share(2 * pairsIn(ring, graph), ring.size * (ring.size - 1)),
      confirmedByRing: fromRing,
      witnessedEvents: attested,
      ringShare,
    },
  );
};

/** All parties reachable from the subject by confirmations that also lead back to it. */
function componentOf(self: string, graph: Confirmations): Set<string> {
  const attesters = (node: string) => [...(graph.get(node)?.keys() ?? [])];
  const confirmed = new Map<string, string[]>();
  for (const [node, by] of graph) {
    for (const attester of by.keys()) confirmed.set(attester, [...(confirmed.get(attester) ?? []), node]);
  }
  const back = reachable(self, (node) => confirmed.get(node) ?? []);
  return new Set([...reachable(self, attesters)].filter((node) => back.has(node)));
}

function reachable(start: string, next: (node: string) => readonly string[]): Set<string> {
  const reached = new Set([start]);
  for (const node of reached) for (const other of next(node)) reached.add(other);
  return reached;
}

function pairsIn(ring: ReadonlySet<string>, graph: Confirmations): number {
  const pairs = new Set<string>();
  for (const [node, by] of graph) {
    for (const attester of by.keys()) {
      if (attester !== node && ring.has(node) && ring.has(attester))
        pairs.add([node, attester].sort().join('\n'));
    }
  }
  return pairs.size;
}

export const selfAttestedShare: Signal = ({ events }) => {
  const positive = events.filter(isPositive);
  if (positive.length < MIN_ATTESTED) return null;
  const selfAttested = positive.filter(({ isVerified }) => !isVerified).length;
  const selfAttestedShare = share(selfAttested, positive.length);
  return findingOf(
    selfAttestedShare,
    { low: 0.5, elevated: positive.length >= 10 ? 0.9 : NEVER },
    { positiveOutcomes: positive.length, selfAttested, selfAttestedShare },
  );
};

export const answeredByAsker: Signal = ({ answers: { confirmed, byAsker } }) => {
  if (byAsker === 0) return null;
  const askerShare = share(byAsker, confirmed);
  return findingOf(
    askerShare,
    { low: 0, elevated: byAsker >= 5 ? 0.5 : NEVER, high: byAsker >= 10 ? 0.9 : NEVER },
    { answeredByAsker: byAsker, confirmed, askerShare },
  );
};
