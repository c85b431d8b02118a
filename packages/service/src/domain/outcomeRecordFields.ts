import { z } from 'zod';
import { instant, share } from './scoreFields.js';

const count = z.int().min(0);

const declarationChangedAt = instant.nullable().meta({
  description:
    'When it was last declared that the subject is something else, or run by somebody else, than declared before. Each outcome is ' +
    'counted by the declaration in force when it was reported. Null: never.',
});

export const deliveryFields = {
  deliveriesRecorded: count,
  confirmedDeliveries: count,
  operatorVouched: count,
  selfAttested: count,
  failures: count,
  disputes: count,
  onTimeRate: share(
    'Share of the confirmed deliveries with both dates that came on time, four decimals; null without any.',
  ),
  declarationChangedAt,
};

export const businessFields = {
  outcomesRecorded: count,
  confirmedOutcomes: count,
  selfAttested: count,
  failures: count,
  disputes: count,
  onTimeRate: share(
    'Share of the confirmed fulfilments with both dates that came on time, four decimals; null without any.',
  ),
  verificationDepth: share('Confirmed outcomes divided by all, four decimals; null where none is recorded.'),
  distinctConfirmingCounterparties: count,
  declarationChangedAt,
};
