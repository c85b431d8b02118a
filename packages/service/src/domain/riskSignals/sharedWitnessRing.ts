import { type Confirmations, countBy, type Detector, severityOf, share } from './riskFacts.js';

const MIN_MEMBERS = 3;
const MAX_NAMED = 10;

/**
 * SHARED_WITNESS_RING: three or more subjects, including this one, that confirm each other in a
 * circle: the subject's strongly connected component in the graph of confirmations up to three
 * steps away. Density: 2E / (k·(k − 1)), each pair counted once. The severity depends on the ring's
 * share of the subject's attested events.
 */
export const sharedWitnessRing: Detector = ({ self, events, confirmations, names }) => {
  const own = countBy(events, ({ attester }) => attester);
  const graph: Confirmations = new Map([...confirmations, [self, own]]);
  const ring = componentOf(self, graph);
  if (ring.size < MIN_MEMBERS) return null;
  const attested = [...own.values()].reduce((sum, count) => sum + count, 0);
  const fromRing = [...own].reduce((sum, [attester, count]) => sum + (ring.has(attester) ? count : 0), 0);
  const ringShare = share(fromRing, attested);
  const severity = severityOf(ringShare, { low: 0, elevated: 0.2, high: fromRing >= 5 ? 0.5 : 2 });
  if (!severity) return null;
  const others = [...ring].filter((member) => member !== self).sort();
  return {
    severity,
    evidence: {
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
  };
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
