import type { OutcomeFacts } from '../src/index.js';

/**
 * A second implementation of the formula, written from its specification (docs/FORMULA.md): event by event, plain doubles, its own
 * constants, no tallies. It shares nothing with the package but the type of an event.
 */
export function referenceScore(events: readonly OutcomeFacts[], asOf: number) {
  if (events.length === 0) return null;
  const { v, u, depth, Qv, Qu } = referenceHalves(events, asOf);
  const gv = v.M / (v.M + 3);
  const gu = (0.2 * u.M) / (u.M + 20);
  const start = 20 + (Qu - 20) * gu;
  const d = v.D > 0 ? 1 : 0;
  const own = 20 + (Qv + 10 * v.C * (d - depth) - 20) * gv;
  let s = start + (Qv - start) * gv;
  s = Math.min(s, Math.max(own, 64.99));
  s = Math.max(s, (20 * 3) / (v.B + 3));
  const lead = v.E > 0 ? v : u;
  return {
    exact: s,
    finalScore: roundTo(s, 2),
    confidence: roundTo(v.E / (v.E + 5), 4),
    behavioralQuality: roundTo(v.E > 0 ? Qv : Qu, 2),
    reliability: lead.M === 0 ? null : roundTo(100 * lead.C, 2),
    timeliness: lead.timed === 0 ? null : roundTo((100 * lead.onTime) / lead.timed, 2),
    trustworthiness: lead.N === 0 ? null : roundTo(100 * lead.S, 2),
    verification: v.N + u.N === 0 ? null : roundTo((100 * depth * v.E) / (v.E + 3), 2),
    consistency: consistency(events, v.E > 0, asOf),
    momentum: momentum(events, v.E > 0, asOf),
  };
}

/** Both halves with their qualities, and the verification depth. */
export function referenceHalves(events: readonly OutcomeFacts[], asOf: number) {
  const v = half(
    events.filter((event) => event.isVerified),
    asOf,
  );
  const u = half(
    events.filter((event) => !event.isVerified),
    asOf,
  );
  const depth = divide(v.D, v.D + u.D);
  return { v, u, depth, Qv: quality(v, depth), Qu: quality(u, 0) };
}

const positives = [
  'TRANSACTION_COMPLETED',
  'REVIEW_VERIFIED',
  'CONTRACT_FULFILLED',
  'DISPUTE_RESOLVED_FOR_USER',
];
const breaches = ['CONTRACT_BREACHED', 'DISPUTE_RESOLVED_AGAINST_USER'];
const contests = ['TRANSACTION_DISPUTED', 'DISPUTE_FILED'];
const outcomes = [...positives, ...breaches, ...contests];
const stakes = { HIGH: 1.5, MEDIUM: 1, LOW: 0.5 };
const tiers = { ENTERPRISE: 1, GROWTH: 0.85, STARTER: 0.7, SELF_REPORTED: 0.4 };

function half(events: readonly OutcomeFacts[], asOf: number) {
  const sum = (test: (event: OutcomeFacts) => unknown) =>
    events.reduce((total, event) => (test(event) ? total + weight(event, asOf) : total), 0);
  const P = sum((event) => positives.includes(event.eventType));
  const B = 4 * sum((event) => breaches.includes(event.eventType));
  const X = sum((event) => contests.includes(event.eventType));
  const N = sum((event) => outcomes.includes(event.eventType));
  const timed = sum((event) => positives.includes(event.eventType) && event.completedAt && event.dueDate);
  const onTime = sum((event) => positives.includes(event.eventType) && isOnTime(event));
  const disp = sum((event) => [...breaches, ...contests].includes(event.eventType));
  const off = sum((event) => event.eventType === 'DISPUTE_RESOLVED_FOR_USER');
  const D = sum((event) => positives.slice(0, 3).includes(event.eventType));
  const C = divide(P, P + B + X);
  const T = (C * (onTime + 0.5)) / (timed + 1);
  const S = N === 0 ? 0 : 1 - Math.min(1, (3 * Math.max(0, disp - 0.75 * off)) / N);
  return { M: P + B + X, E: P + B, B, N, timed, onTime, D, C, T, S };
}

function quality({ C, T, S }: { C: number; T: number; S: number }, depth: number): number {
  return 100 * (0.4 * C + 0.35 * T + 0.15 * S + 0.1 * C * depth);
}

function weight(event: OutcomeFacts, asOf: number): number {
  return stakes[event.stakeLevel] * tiers[event.platformTier] * 2 ** (-age(event, asOf) / 180);
}

function age(event: OutcomeFacts, asOf: number): number {
  return Math.max(0, asOf - Math.floor(happened(event) / 86_400_000));
}

function happened({ createdAt, completedAt, dueDate }: OutcomeFacts): number {
  if (completedAt) return Math.min(completedAt.getTime(), createdAt.getTime());
  if (dueDate && dueDate.getTime() <= createdAt.getTime()) return dueDate.getTime();
  return createdAt.getTime();
}

function isOnTime({ completedAt, dueDate }: OutcomeFacts): boolean {
  return completedAt != null && dueDate != null && completedAt.getTime() <= dueDate.getTime();
}

function consistency(events: readonly OutcomeFacts[], verified: boolean, asOf: number): number | null {
  const ofHalf = events.filter(
    (event) => event.isVerified === verified && outcomes.includes(event.eventType),
  );
  const monthOf = (event: OutcomeFacts) => new Date(happened(event)).toISOString().slice(0, 7);
  const months = [...new Set(ofHalf.map(monthOf))].sort().slice(-12);
  if (months.length < 2) return null;
  const rates = months.map(
    (month) =>
      half(
        ofHalf.filter((event) => monthOf(event) === month),
        asOf,
      ).C,
  );
  const mean = rates.reduce((a, b) => a + b, 0) / rates.length;
  const variance = rates.reduce((a, b) => a + (b - mean) * (b - mean), 0) / rates.length;
  return roundTo(100 * (1 - Math.min(1, 2 * Math.sqrt(variance))), 2);
}

function momentum(events: readonly OutcomeFacts[], verified: boolean, asOf: number): number {
  const ofHalf = events.filter(
    (event) => event.isVerified === verified && outcomes.includes(event.eventType),
  );
  const recent = ofHalf.filter((event) => age(event, asOf) <= 90);
  const earlier = ofHalf.filter((event) => age(event, asOf) > 90 && age(event, asOf) <= 365);
  if (recent.length === 0 || earlier.length === 0) return 50;
  return roundTo(50 + 50 * (half(recent, asOf).C - half(earlier, asOf).C), 2);
}

function divide(a: number, b: number): number {
  return b === 0 ? 0 : a / b;
}

/** Half up. A value just below a half counts as that half (docs/FORMULA.md). */
function roundTo(value: number, decimals: number): number {
  const unit = 10 ** decimals;
  return Math.floor((value + 1e-9) * unit + 0.5) / unit;
}
