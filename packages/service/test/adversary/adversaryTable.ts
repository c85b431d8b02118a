import { z } from 'zod';
import expected from './expected.json' with { type: 'json' };

export type Outcome = z.output<typeof Outcome>;
/** What an attack cost and reached. Signals are severities by code. */
const Outcome = z.object({
  attack: z.string(),
  events: z.int(),
  confirmations: z.int(),
  days: z.int(),
  honestScore: z.number(),
  attackScore: z.number(),
  cappedScore: z.number(),
  signals: z.record(z.string(), z.string()),
  honestSignals: z.record(z.string(), z.string()),
});

/** The table that docs/ADVERSARIES.md shows. `npm run test:adversary -- --write` writes it. */
export const expectedOutcomes: readonly Outcome[] = z.array(Outcome).parse(expected);

const HEADER = ['Attack', 'Events', 'Confirmations', 'Days', 'Honest', 'Attack', 'Capped', 'Signals'];

/** The rows of the table, as the page has them. */
export function tableRows(outcomes: readonly Outcome[]): string[][] {
  const rows = outcomes.map((outcome) => [
    outcome.attack,
    String(outcome.events),
    String(outcome.confirmations),
    String(outcome.days),
    outcome.honestScore.toFixed(1),
    outcome.attackScore.toFixed(1),
    outcome.cappedScore.toFixed(1),
    Object.entries(outcome.signals)
      .map(([code, severity]) => `${code} ${severity}`)
      .join(', ') || 'none',
  ]);
  return [HEADER, ...rows];
}

/** Scores move by a few hundredths when a run passes midnight. */
const SCORE_TOLERANCE = 0.2;

/** What differs from the expected table, one sentence each. Empty: nothing. */
export function differences(found: readonly Outcome[], wanted: readonly Outcome[]): string[] {
  const names = new Set([...found, ...wanted].map(({ attack }) => attack));
  return [...names].flatMap((attack) => {
    const now = found.find((outcome) => outcome.attack === attack);
    const before = wanted.find((outcome) => outcome.attack === attack);
    if (!now || !before) return [`${attack}: ${now ? 'is not in the expected table' : 'was not played'}`];
    return [
      ...signalDifferences(attack, 'attack', now.signals, before.signals),
      ...signalDifferences(attack, 'honest subject', now.honestSignals, before.honestSignals),
      ...numberDifferences(attack, now, before),
    ];
  });
}

type Signals = Readonly<Record<string, string>>;

function signalDifferences(attack: string, of: string, now: Signals, before: Signals): string[] {
  const codes = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  return codes
    .filter((code) => now[code] !== before[code])
    .map((code) =>
      now[code] === undefined
        ? `${attack}: ${code} no longer fires for the ${of}`
        : `${attack}: ${code} is ${now[code]} for the ${of}, expected ${before[code] ?? 'nothing'}`,
    );
}

function numberDifferences(attack: string, now: Outcome, before: Outcome): string[] {
  const counts = (['events', 'confirmations', 'days'] as const).filter((name) => now[name] !== before[name]);
  const scores = (['honestScore', 'attackScore', 'cappedScore'] as const).filter(
    (name) => Math.abs(now[name] - before[name]) > SCORE_TOLERANCE,
  );
  return [...counts, ...scores].map((name) => `${attack}: ${name} is ${now[name]}, expected ${before[name]}`);
}
