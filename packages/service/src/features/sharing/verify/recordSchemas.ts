import { z } from 'zod';
import { subjectTypes } from '../../../domain/catalogues/enums.js';
import { businessFields, deliveryFields } from '../../../domain/outcomeRecordFields.js';

/** A shared record with its subject type and a credential of the same content. */
function sharedRecord<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object({
    token: z.string(),
    subjectType: z.enum(subjectTypes),
    record: z.object(fields),
    asOf: z.iso.datetime(),
    credential: z.string(),
    type: z.string(),
    expiresAt: z.iso.datetime(),
    verifyUrl: z.url(),
  });
}

export const SharedDeliveries = sharedRecord(deliveryFields).meta({ id: 'DeliveryReceipts' });

export const SharedBusiness = sharedRecord(businessFields).meta({ id: 'SharedBusinessRecord' });
