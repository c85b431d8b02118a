import { exampleEnvelope } from '../../../packages/service/src/domain/envelopes/catalogue.js';

/** An envelope as it is sent, of a size that is usual. */
export function envelopeText(id: string, createdAt: Date, externalId: string): string {
  const { data, type, livemode } = exampleEnvelope('score.updated');
  return JSON.stringify({ id, type, livemode, createdAt, data: { ...data, user: { externalId } } });
}
