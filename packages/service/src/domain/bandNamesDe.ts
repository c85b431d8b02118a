import type { ScoreBand } from '@reliability/scoring';

// Apart from all other words: scripts for browsers have it.
export const bandNamesDe: Readonly<Record<ScoreBand, string>> = {
  Excellent: 'Ausgezeichnet',
  Good: 'Gut',
  Fair: 'Ordentlich',
  Building: 'Im Aufbau',
  Unproven: 'Noch unbelegt',
  'High Risk': 'Hohes Risiko',
};
