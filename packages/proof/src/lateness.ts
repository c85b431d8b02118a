/** An event is late if its leaf is so much later than the event, by the clock of the log. */
export const LATE_AFTER_MS = 10 * 60_000;

/** How long after it was recorded an event was logged, at least; null: in time, as far as the log says. */
export function latenessOf(recordedMs: number, completeUntilMs: number): number | null {
  const lateMs = completeUntilMs - recordedMs;
  return lateMs > LATE_AFTER_MS ? lateMs : null;
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** In the largest unit of which it has two. */
export function spanOf(ms: number): { count: number; unit: (typeof UNITS)[number][0] } {
  const [unit, unitMs] = UNITS.find(([, each]) => ms >= 2 * each) ?? UNITS[2];
  return { count: Math.floor(ms / unitMs), unit };
}
