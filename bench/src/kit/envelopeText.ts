import { exampleEnvelope } from '../../../packages/service/src/domain/envelopes/catalogue.js';

/** An envelope of typical size, as it is sent. */
export function envelopeText(id: string, createdAt: Date, externalId: string): string {
  const { data, type, livemode } = exampleEnvelope('score.updated');
  return JSON.stringify({ id, type, livemode, createdAt, data: { ...data, user: { externalId } } });
}
