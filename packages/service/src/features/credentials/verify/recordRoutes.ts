import { everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { CredentialQuery } from '../issuing/credentialSchemas.js';
import {
  attestBusiness,
  attestDeliveries,
  createSharedRecordReader,
  type SharedRecordDeps,
} from './readSharedRecord.js';
import { SharedBusiness, SharedDeliveries } from './recordSchemas.js';
import { sharePath } from './schemas.js';

/** Records that a share token opens besides the score, each with a credential to take along. */
export function sharedRecordRoutes(deps: SharedRecordDeps): RouteTable {
  const read = createSharedRecordReader(deps);
  const common = {
    access: everyone,
    tag: 'Verification',
    params: sharePath,
    query: CredentialQuery,
    errors: ['NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'OVERLOADED', 'SERVICE_UNAVAILABLE'] as const,
  };
  return {
    'GET /verify/{token}/delivery-receipts': route({
      operationId: 'verifyDeliveryReceipts',
      ...common,
      summary: 'Read the deliveries behind a share token',
      description:
        'Without any key: the delivery record, and a signed `ServiceDeliveryReceiptCredential` of it, or ' +
        '`ServiceAgentDeliveryCredential` where the subject is an agent. Nothing in either says who the subject is.',
      answers: { 200: SharedDeliveries, 304: null },
      handle: (context) => read(context, { name: 'deliveries', attest: attestDeliveries }),
    }),
    'GET /verify/{token}/business-record': route({
      operationId: 'verifyBusinessRecord',
      ...common,
      summary: 'Read the business record behind a share token',
      description:
        'Without any key: the business record, and a signed `ServiceBusinessRecordCredential` of it. 404 `NOT_FOUND` also where ' +
        'the subject is no business.',
      answers: { 200: SharedBusiness, 304: null },
      handle: (context) => read(context, { name: 'business', attest: attestBusiness }),
    }),
  };
}
