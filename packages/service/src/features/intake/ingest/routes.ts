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
      summary: 'Save a mapping',
      description:
        'Use its id as `mappingId` in `POST /ingest` and `POST /imports`. If the mapping is invalid, `details` lists every ' +
        'error with its path. A mapping belongs to the mode of the key, and its name is unique there. `POST /ingest` describes the rules.',
      idempotent: true,
      body: NewMapping,
      answers: { 201: SavedMapping },
      errors: ['INGEST_MAPPING_INVALID', 'CONFLICT'],
      handle: ({ owner, body, claim }) => saveMapping(deps, owner, body, claim),
    }),
    'GET /ingest/mappings': route({
      operationId: 'listMappings',
      ...own,
      summary: 'List saved mappings',
      description: 'The saved mappings in the mode of the key, newest first.',
      query: MappingQuery,
      answers: { 200: MappingPage },
      handle: async ({ owner, query }) => ok(await listMappings(deps.db, owner, query)),
    }),
    'GET /ingest/mappings/{id}': route({
      operationId: 'readMapping',
      ...onOne,
      summary: 'Read a saved mapping',
      description:
        'Its name and its rules as you sent them. 404 `NOT_FOUND` for a mapping of the other mode.',
      answers: { 200: SavedMapping },
      handle: async ({ owner, params }) => ok(await readMapping(deps.db, owner, params.id)),
    }),
    'DELETE /ingest/mappings/{id}': route({
      operationId: 'deleteMapping',
      ...onOne,
      summary: 'Delete a saved mapping',
      description: 'Events that were recorded with it stay. Running imports continue with their copy.',
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteMapping(deps.db, owner, params.id);
        return noContent();
      },
    }),
  };
}
