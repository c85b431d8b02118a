import type { ScoreBand } from '@reliability/scoring';

/** The bands as German readers see them. */
export const bandNamesDe: Readonly<Record<ScoreBand, string>> = {
  Excellent: 'Ausgezeichnet',
  Good: 'Gut',
  Fair: 'Ordentlich',
  Building: 'Im Aufbau',
  Unproven: 'Noch unbelegt',
  'High Risk': 'Hohes Risiko',
};
