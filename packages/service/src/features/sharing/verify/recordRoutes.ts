import { byShareToken, everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { CredentialQuery } from '../../../ledger/issuing/credentialSchemas.js';
import { attestBusiness, attestDeliveries } from './outcomeClaims.js';
import { createSharedRecordReader, type SharedRecordDeps } from './readSharedRecord.js';
import { SharedBusiness, SharedDeliveries } from './recordSchemas.js';
import { sharePath } from './schemas.js';

/** Records behind a share token besides the score, each with a credential. */
export function sharedRecordRoutes(deps: SharedRecordDeps): RouteTable {
  const read = createSharedRecordReader(deps);
  const common = {
    access: everyone,
    tag: 'Verification',
    params: sharePath,
    groupOf: byShareToken,
    query: CredentialQuery,
    errors: ['NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'OVERLOADED', 'SERVICE_UNAVAILABLE'] as const,
  };
  return {
    'GET /verify/{token}/delivery-receipts': route({
      operationId: 'verifyDeliveryReceipts',
      ...common,
      answers: { 200: SharedDeliveries, 304: null },
      handle: (context) => read(context, { name: 'deliveries', attest: attestDeliveries }),
    }),
    'GET /verify/{token}/business-record': route({
      operationId: 'verifyBusinessRecord',
      ...common,
      answers: { 200: SharedBusiness, 304: null },
      handle: (context) => read(context, { name: 'business', attest: attestBusiness }),
    }),
  };
}
