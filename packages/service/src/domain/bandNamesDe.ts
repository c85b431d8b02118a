import type { ScoreBand } from '@reliability/scoring';

export const bandNamesDe: Readonly<Record<ScoreBand, string>> = {
  Excellent: 'Ausgezeichnet',
  Good: 'Gut',
  Fair: 'Ordentlich',
  Building: 'Im Aufbau',
  Unproven: 'Noch unbelegt',
  'High Risk': 'Hohes Risiko',
};
