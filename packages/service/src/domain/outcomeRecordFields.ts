import { count, instant, share } from './scoreFields.js';

const failures = count('Contracts breached, and contested outcomes that were resolved against the subject.');
const disputes = count('Disputes that were opened, whatever became of them.');

const declarationChangedAt = instant.nullable().meta({
  description:
    'When it was last declared that the subject is something else, or run by somebody else, than declared before. Each outcome is ' +
    'counted by the declaration in force when it was reported. Null: never.',
});

/** The figures of a delivery record: the first is the sum of the three that follow. */
export const deliveryFields = {
  deliveriesRecorded: count('Positive outcomes on the record.'),
  confirmedDeliveries: count(
    'Those that a party other than the subject and its operator confirmed: the only evidence among them, and the very ones that ' +
      'the score counts as verified.',
  ),
  operatorVouched: count(
    'Those that rest on the word of the operator alone, as it was declared when they were reported. Never counted as confirmed.',
  ),
  selfAttested: count('Those that a platform reported without another party that confirmed them.'),
  failures,
  disputes,
  onTimeRate: share(
    'Share of the confirmed deliveries with both dates that came on time, four decimals; null without any.',
  ),
  declarationChangedAt,
};

export const businessFields = {
  outcomesRecorded: count(
    'All outcomes on the record. Events that the dispute engine writes are not counted.',
  ),
  confirmedOutcomes: count(
    'Those that a party other than the business and its controller confirmed: the only number that is evidence.',
  ),
  selfAttested: count('All others.'),
  failures,
  disputes,
  onTimeRate: share(
    'Share of the confirmed fulfilments with both dates that came on time, four decimals; null without any.',
  ),
  verificationDepth: share('Confirmed outcomes divided by all, four decimals; null where none is recorded.'),
  distinctConfirmingCounterparties: count(
    'The parties that confirmed them: counterparties of confirmations, and those named by `verifiedBy` of ingested and imported ' +
      'records. All spellings of a name are one party; an outcome reported as verified without a name adds nobody.',
  ),
  declarationChangedAt,
};
