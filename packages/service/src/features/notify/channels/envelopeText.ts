import { z } from 'zod';
import { type EnvelopeType, envelopeTexts, isEnvelopeType } from '#domain/envelopes/catalogue.js';
import {
  ConfirmationReminder,
  ImportCompleted,
  KeyCreated,
  KeyExpiring,
  QuotaWarning,
  ReviewAnswered,
  type ReviewFacts,
  ReviewOverdue,
  ReviewRequested,
  ScreeningCompleted,
} from '#domain/envelopes/platformEnvelopes.js';
import {
  DisputeResolved,
  MonitorTriggered,
  PolicyCrossed,
  type PolicyTerms,
  ScoreChange,
} from '#domain/envelopes/scoreEnvelopes.js';
import { assertNever } from '#domain/errors.js';

/**
 * An envelope as one plain sentence on one line, with the prefix "[test]" for test data. Never
 * fails: data of an unknown shape gives the description of its type.
 * @param body the envelope as JSON text.
 */
export function envelopeText(body: string): string {
  const { type, livemode, data } = Outline.parse(parsedJson(body));
  const sentence = isEnvelopeType(type)
    ? (sentenceOf(type, data) ?? envelopeTexts[type].description)
    : 'Something happened that this version of the service cannot describe.';
  return oneLine(livemode ? sentence : `[test] ${sentence}`);
}

/** Cannot fail. A missing `livemode` counts as true (RULES N1). */
const Outline = z
  .object({ type: z.string().catch(''), livemode: z.boolean().catch(true), data: z.unknown().optional() })
  .catch({ type: '', livemode: true });

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Null: the data does not fit the current schema of the type. */
function sentenceOf(type: EnvelopeType, data: unknown): string | null {
  switch (type) {
    case 'score.updated':
      return describe(ScoreChange, data, scoreUpdated);
    case 'score.band_changed':
      return describe(ScoreChange, data, bandChanged);
    case 'dispute.resolved':
      return describe(DisputeResolved, data, disputeResolved);
    case 'monitor.triggered':
      return describe(MonitorTriggered, data, monitorTriggered);
    case 'policy.threshold_crossed':
      return describe(PolicyCrossed, data, policyCrossed);
    case 'usage.quota_warning':
      return describe(QuotaWarning, data, quotaWarning);
    case 'import.completed':
      return describe(ImportCompleted, data, importCompleted);
    case 'screening.completed':
      return describe(ScreeningCompleted, data, screeningCompleted);
    case 'confirmation.awaiting_response':
      return describe(ConfirmationReminder, data, awaitingResponse);
    case 'confirmation.expiring_soon':
      return describe(ConfirmationReminder, data, expiringSoon);
    case 'review.requested':
      return describe(ReviewRequested, data, reviewRequested);
    case 'review.answered':
      return describe(ReviewAnswered, data, reviewAnswered);
    case 'review.overdue':
      return describe(ReviewOverdue, data, reviewOverdue);
    case 'key.created':
      return describe(KeyCreated, data, keyCreated);
    case 'key.expiring':
      return describe(KeyExpiring, data, keyExpiring);
    default:
      return assertNever(type);
  }
}

function describe<Data>(
  schema: z.ZodType<Data>,
  data: unknown,
  toText: (data: Data) => string,
): string | null {
  const result = schema.safeParse(data);
  return result.success ? toText(result.data) : null;
}

function scoreUpdated(change: ScoreChange): string {
  const { user, score, band, previousScore, previousBand } = change;
  if (previousScore === null) return `The first score of ${user.externalId} is ${points(score, band)}.`;
  const way = `from ${points(previousScore, previousBand)} to ${points(score, band)}`;
  return `The score of ${user.externalId} ${verb(previousScore, score)} ${way}${becauseOf(change.reason)}.`;
}

function bandChanged(change: ScoreChange): string {
  const { user, score, band, previousScore, previousBand, reason } = change;
  const before = previousBand === null ? '' : `from ${bandAt(previousBand, previousScore)} `;
  return `${user.externalId} moved ${before}to ${bandAt(band, score)}${becauseOf(reason)}.`;
}

function becauseOf(reason: string | null): string {
  if (reason === 'decay') return ', as time passed';
  if (reason === 'linked') return ', now that it is linked with another platform';
  if (reason === 'unlinked') return ', now that a link has ended';
  return reason === 'velocity_cleared' ? ', after a review' : '';
}

function disputeResolved({ user, eventId, outcome, lapsed }: DisputeResolved): string {
  const side = outcome === 'FOR_USER' ? 'in favour of' : 'against';
  const way = lapsed ? 'ran out without a resolution and so ended' : 'was resolved';
  return `The dispute about event ${eventId} ${way} ${side} ${user.externalId}.`;
}

function monitorTriggered(crossing: MonitorTriggered): string {
  const { userId, condition, threshold, previousScore, newScore, previousBand, newBand } = crossing;
  if (condition === 'band_change') {
    const before = previousBand === null ? '' : `from ${bandAt(previousBand, previousScore)} `;
    return `Monitor: ${userId} moved ${before}to ${bandAt(newBand, newScore)}.`;
  }
  const way = condition === 'below_score' ? 'fell below' : 'rose above';
  const line = threshold === null ? 'what a monitor watches for' : `the monitored ${threshold.toFixed(2)}`;
  const before = previousScore === null ? '' : `from ${points(previousScore, previousBand)} `;
  return `The score of ${userId} ${way} ${line}, ${before}to ${points(newScore, newBand)}.`;
}

function policyCrossed({ policyName, subject, condition, observed }: PolicyCrossed): string {
  const { previous, current } = observed;
  const before = previous === null ? '' : `from ${value(previous)} `;
  const now = current === null ? 'nothing' : value(current);
  const moved = `${watched(condition)} went ${before}to ${now}`;
  return `Policy "${clipped(policyName)}": ${subject.externalId} is ${stateOf(condition)} (${moved}).`;
}

function watched({ metric, component }: PolicyTerms): string {
  switch (metric) {
    case 'score':
      return 'the score';
    case 'component':
      return `the component ${component ?? ''}`.trimEnd();
    case 'verified_events':
      return 'the number of verified events';
    case 'largest_attester_share':
      return 'the largest share of one party in the confirmations';
    case 'distinct_attesters':
      return 'the number of parties that confirm';
    case 'band':
      return 'the band';
    default:
      return assertNever(metric);
  }
}

function stateOf({ direction, threshold, band }: PolicyTerms): string {
  switch (direction) {
    case 'below':
    case 'above':
      return `now ${direction} ${threshold ?? 'its threshold'}`;
    case 'enter':
      return `now in the band ${band ?? 'it names'}`;
    case 'leave':
      return `no longer in the band ${band ?? 'it names'}`;
    default:
      return assertNever(direction);
  }
}

function quotaWarning({ used, cap, remaining, ratio, periodEnd }: QuotaWarning): string {
  const share = (ratio * 100).toFixed(1);
  const rest = `${count(remaining)} are left until ${periodEnd.slice(0, 10)}`;
  return `${share} % of the month's quota is used, ${count(used)} of ${count(cap)} calls; ${rest}.`;
}

function importCompleted(job: ImportCompleted): string {
  const counts = `${count(job.createdCount)} rows recorded, ${count(job.skippedCount)} skipped, ${count(job.failedCount)} failed`;
  if (job.status === 'COMPLETED') return `Import ${job.importJobId} is complete: ${counts}.`;
  return `Import ${job.importJobId} failed with ${counts}${because(job.error)}.`;
}

function screeningCompleted({
  screeningJobId,
  status,
  total,
  foundCount,
  error,
}: ScreeningCompleted): string {
  const counts = `${count(foundCount)} of ${count(total)} subjects found`;
  if (status === 'COMPLETED') return `Screening ${screeningJobId} is complete: ${counts}.`;
  return `Screening ${screeningJobId} failed with ${counts}${because(error)}.`;
}

function awaitingResponse(request: ConfirmationReminder): string {
  const asked = `the request to confirm an outcome of ${request.subject.externalId}`;
  return `After ${hours(request.ageHours)} ${counterparty(request)} has not answered ${asked}.`;
}

function expiringSoon(request: ConfirmationReminder): string {
  const asked = `The request to ${counterparty(request)} to confirm an outcome of ${request.subject.externalId}`;
  return `${asked} ends in ${hours(request.hoursUntilExpiry)} and is not answered yet.`;
}

function reviewRequested(review: ReviewRequested): string {
  const due = `until ${review.respondBy.slice(0, 10)}`;
  if (review.reminder) return `${reviewNamed(review)} still has no answer. It is due ${due}.`;
  return `${review.user.externalId} objects to ${objectOf(review)} and asks for an answer ${due}.`;
}

function reviewAnswered(review: ReviewAnswered): string {
  return `${reviewNamed(review)} was answered ${review.inTime ? 'in time' : 'late'}: ${review.outcome}.`;
}

function reviewOverdue(review: ReviewFacts): string {
  return `${reviewNamed(review)} is overdue. It was due until ${review.respondBy.slice(0, 10)}.`;
}

function reviewNamed(review: ReviewFacts): string {
  return `The review of ${objectOf(review)} that ${review.user.externalId} asked for`;
}

function objectOf({ eventId }: ReviewFacts): string {
  return eventId === null ? 'their record' : `event ${eventId}`;
}

function keyCreated(key: KeyCreated): string {
  const way = key.rotatedFrom === null ? 'was created' : `was made to replace ${key.rotatedFrom}`;
  return `${keyNamed(key)} ${way} by ${makerOf(key)}.`;
}

function keyExpiring(key: KeyExpiring): string {
  const used = key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt}`;
  return `${keyNamed(key)} ends in ${hours(key.hoursUntilExpiry)} (${used}).`;
}

function keyNamed({ keyId, label, isTest }: KeyCreated | KeyExpiring): string {
  return `The ${isTest ? 'test' : 'live'} API key ${label === null ? keyId : `"${clipped(label)}" (${keyId})`}`;
}

function makerOf({ createdBy }: KeyCreated): string {
  if (createdBy === 'operator') return 'the operator';
  return createdBy?.startsWith('user:') ? clipped(createdBy.slice('user:'.length)) : `the key ${createdBy}`;
}

function counterparty({ counterpartyName, counterpartyRef }: ConfirmationReminder): string {
  return clipped(counterpartyName ?? counterpartyRef);
}

/** "66.10 (Good)" */
function points(score: number, band: string | null): string {
  return band === null ? score.toFixed(2) : `${score.toFixed(2)} (${band})`;
}

/** "Good (66.10)" */
function bandAt(band: string, score: number | null): string {
  return score === null ? band : `${band} (${score.toFixed(2)})`;
}

function verb(before: number, after: number): string {
  if (before === after) return 'went';
  return before < after ? 'rose' : 'fell';
}

function value(observed: number | string): string {
  if (typeof observed === 'string') return observed;
  return Number.isInteger(observed) ? count(observed) : observed.toFixed(2);
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function hours(number: number): string {
  return number === 1 ? '1 hour' : `${Number(number.toFixed(1))} hours`;
}

function because(error: string | null): string {
  return error === null ? '' : `: ${clipped(error).replace(/\.$/, '')}`;
}

const MAX_QUOTE = 200;

/** A text of the platform, cut to a length that fits a sentence. */
function clipped(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_QUOTE ? text : `${characters.slice(0, MAX_QUOTE).join('')}…`;
}

/** Line breaks could end a header, and direction marks could reverse the text that follows. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
