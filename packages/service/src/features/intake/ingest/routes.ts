import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { MAPPING_GUIDE } from '../mappingSchema.js';
import type { IngestDeps } from './deps.js';
import { ingestRecords } from './ingestRecords.js';
import { listMappings } from './listMappings.js';
import { readMapping } from './readMapping.js';
import { removeMapping } from './removeMapping.js';
import { saveMapping } from './saveMapping.js';
import {
  IngestBody,
  Ingested,
  MappingPage,
  MappingQuery,
  mappingPath,
  NewMapping,
  SavedMappingRecord,
} from './schemas.js';

/** Outcomes in the platform's own shape. */
export function ingestRoutes(deps: IngestDeps): RouteTable {
  const common = { access: keyFor('events'), tag: 'Ingest' };
  return {
    'POST /ingest': route({
      operationId: 'ingestRecords',
      ...common,
      summary: 'Record up to 100 outcomes in your own shape',
      description:
        'Each record stands or falls alone; a failure names the field, and where in the record it was read. With a rule for ' +
        `\`idempotencyKey\` a record that is sent again is skipped, and answered with its first event.\n\n${MAPPING_GUIDE}`,
      writesLedger: true,
      idempotent: true,
      body: IngestBody,
      itemsStandAlone: true,
      answers: { 200: Ingested },
      errors: ['INGEST_MAPPING_INVALID', 'NOT_FOUND'],
      handle: (context) => ingestRecords(deps, context),
    }),
    'POST /ingest/mappings': route({
      operationId: 'saveMapping',
      ...common,
      summary: 'Save a mapping',
      description:
        'To be named by its id in ingest and imports. It is checked as a whole: `details` lists everything that is wrong ' +
        'with it, and where. A mapping belongs to the mode of the key, and its name is unique there. How to write one is told at `POST /ingest`.',
      idempotent: true,
      body: NewMapping,
      answers: { 201: SavedMappingRecord },
      errors: ['INGEST_MAPPING_INVALID', 'CONFLICT'],
      handle: (context) => saveMapping(deps, context),
    }),
    'GET /ingest/mappings': route({
      operationId: 'listMappings',
      ...common,
      summary: 'List saved mappings',
      description: 'Those of the mode of the key, newest first.',
      query: MappingQuery,
      answers: { 200: MappingPage },
      handle: (context) => listMappings(deps, context),
    }),
    'GET /ingest/mappings/{id}': route({
      operationId: 'readMapping',
      ...common,
      summary: 'Read a saved mapping',
      description: 'Its name and its rules, as they were given. 404 `NOT_FOUND` for one of the other mode.',
      params: mappingPath,
      answers: { 200: SavedMappingRecord },
      errors: ['NOT_FOUND'],
      handle: (context) => readMapping(deps, context),
    }),
    'DELETE /ingest/mappings/{id}': route({
      operationId: 'deleteMapping',
      ...common,
      summary: 'Delete a saved mapping',
      description: 'What was recorded with it stays, and imports under way go on: they have a copy.',
      params: mappingPath,
      answers: { 204: null },
      errors: ['NOT_FOUND'],
      handle: (context) => removeMapping(deps, context),
    }),
  };
}
