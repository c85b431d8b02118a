import { noContent, ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { MAPPING_GUIDE } from '../mappingSchema.js';
import { ingestRecords } from './ingestRecords.js';
import { saveMapping } from './saveMapping.js';
import {
  IngestBody,
  Ingested,
  MappingPage,
  MappingQuery,
  mappingPath,
  NewMapping,
  SavedMapping,
} from './schemas.js';
import { deleteMapping, listMappings, readMapping } from './store.js';

type IngestDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'ledger' | 'erased' | 'withIdempotency'>;

/** Outcomes in the platform's own shape, and the mappings that read them. */
export function ingestRoutes(deps: IngestDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Ingest' };
  const onOne = { ...own, params: mappingPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /ingest': route({
      operationId: 'ingestRecords',
      ...own,
      summary: 'Record up to 100 outcomes in your own shape',
      description:
        'An invalid record fails alone. Its error names the field and the path in the record. Map an ' +
        `\`idempotencyKey\`, and a repeated record is skipped and answered with its first event.\n\n${MAPPING_GUIDE}`,
      idempotent: true,
      body: IngestBody,
      itemsStandAlone: true,
      answers: { 200: Ingested },
      errors: ['INGEST_MAPPING_INVALID', 'NOT_FOUND', 'SUBJECT_ERASED'],
      handle: (context) => ingestRecords(deps, context),
    }),
    'POST /ingest/mappings': route({
      operationId: 'saveMapping',
      ...own,
      idempotent: true,
      body: NewMapping,
      answers: { 201: SavedMapping },
      errors: ['INGEST_MAPPING_INVALID', 'CONFLICT'],
      handle: ({ owner, body, claim }) => saveMapping(deps, owner, body, claim),
    }),
    'GET /ingest/mappings': route({
      operationId: 'listMappings',
      ...own,
      query: MappingQuery,
      answers: { 200: MappingPage },
      handle: async ({ owner, query }) => ok(await listMappings(deps.db, owner, query)),
    }),
    'GET /ingest/mappings/{id}': route({
      operationId: 'readMapping',
      ...onOne,
      answers: { 200: SavedMapping },
      handle: async ({ owner, params }) => ok(await readMapping(deps.db, owner, params.id)),
    }),
    'DELETE /ingest/mappings/{id}': route({
      operationId: 'deleteMapping',
      ...onOne,
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteMapping(deps.db, owner, params.id);
        return noContent();
      },
    }),
  };
}
