import { z } from 'zod';
import { subjectTypes } from '../../../domain/catalogues/enums.js';
import {
  BUSINESS_RECORD_EXAMPLE,
  businessFields,
  DELIVERY_EXAMPLE,
  deliveryFields,
} from '../../../domain/outcomeRecordFields.js';
import { TOKEN_EXAMPLE } from './schemas.js';

/** A shared record with its subject type and a credential of the same content. */
function sharedRecord<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object({
    token: z.string().meta({ description: 'The token in the path.' }),
    subjectType: z.enum(subjectTypes),
    record: z.object(fields),
    asOf: z.iso.datetime().meta({ description: 'When the record last changed.' }),
    credential: z.string().meta({ description: 'The record as a signed credential, a compact JWT.' }),
    type: z.string().meta({ description: 'The type of the credential besides `VerifiableCredential`.' }),
    expiresAt: z.iso.datetime().meta({ description: 'When the credential expires.' }),
    verifyUrl: z.url().meta({ description: 'The page about the subject for people.' }),
  });
}

const EXAMPLE = {
  token: TOKEN_EXAMPLE,
  asOf: '2026-03-01T15:45:02.118Z',
  credential: 'eyJhbGciOiJFZERTQSIs...',
  expiresAt: '2026-03-02T16:00:00.000Z',
  verifyUrl: `https://reliability.example/verify/${TOKEN_EXAMPLE}`,
};

export const SharedDeliveries = sharedRecord(deliveryFields).meta({
  id: 'DeliveryReceipts',
  description: 'Deliveries behind a share token, by who confirmed them. Evidence, never a decision.',
  example: {
    ...EXAMPLE,
    subjectType: 'AGENT',
    type: 'ServiceAgentDeliveryCredential',
    record: DELIVERY_EXAMPLE,
  },
});

export const SharedBusiness = sharedRecord(businessFields).meta({
  id: 'SharedBusinessRecord',
  description: 'The record of the business behind a share token. Evidence, never a decision.',
  example: {
    ...EXAMPLE,
    subjectType: 'ORGANIZATION',
    type: 'ServiceBusinessRecordCredential',
    record: BUSINESS_RECORD_EXAMPLE,
  },
});
