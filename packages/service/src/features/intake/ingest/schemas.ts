import { z } from 'zod';
import { looseItems } from '../../../kit/http/looseItems.js';
import { cursorParam, pageLimit, storableText } from '../../../kit/http/query.js';
import { itemsRecorded, Warnings } from '../itemsRecorded.js';
import { MAPPING_EXAMPLE, MappingRules } from '../mappingSchema.js';

const SAVED_EXAMPLE = {
  id: '0199a3c2-b3d4-7f60-8a12-7c5e9d0b4a38',
  name: 'Jobs of the old system',
  mapping: MAPPING_EXAMPLE,
  createdAt: '2026-03-01T09:00:00.000Z',
};

const Record = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Of whatever shape the mapping reads.' });

/** Kept open, so that a misspelt property can be told of. */
export const IngestBody = z
  .looseObject({
    records: z.array(looseItems(Record)).min(1).max(100),
    mapping: looseItems(MappingRules).nullish(),
    mappingId: z
      .string()
      .meta({ format: 'uuid' })
      .nullish()
      .meta({ description: 'A saved mapping, in place of `mapping`.', example: SAVED_EXAMPLE.id }),
  })
  .meta({
    id: 'IngestRequest',
    description: 'Up to 100 records of your own, with a mapping or the id of a saved one.',
    example: {
      records: [
        {
          worker: { id: 4711 },
          job_no: 'J-1009',
          status: 'done',
          price_cents: '48000',
          finished: '2024-03-01',
          approved: 'yes',
          client: 'Miller & Sons',
        },
      ],
      mapping: MAPPING_EXAMPLE,
    },
  });

export const Ingested = z
  .object({
    ...itemsRecorded,
    warnings: Warnings.optional().meta({
      description: 'About the request as a whole; left out where there are none.',
    }),
  })
  .meta({
    id: 'Ingested',
    description:
      'What became of each record. The status is 200 even where some were refused, so look at `failedCount`.',
    example: {
      results: [
        { index: 0, status: 'created', eventId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34' },
        {
          index: 1,
          status: 'failed',
          error: {
            code: 'VALIDATION_ERROR',
            message:
              'records.1.completedAt: iso_date takes an ISO 8601 date or timestamp, such as 2026-03-01, not "03/04/2024" (read from "finished")',
          },
        },
      ],
      createdCount: 1,
      skippedCount: 0,
      failedCount: 1,
    },
  });

export const NewMapping = z.object({ name: storableText(1, 255), mapping: looseItems(MappingRules) }).meta({
  id: 'NewMapping',
  description: 'A mapping to save under a name.',
  example: { name: SAVED_EXAMPLE.name, mapping: MAPPING_EXAMPLE },
});

export const SavedMappingRecord = z
  .object({
    id: z.uuid(),
    name: z.string(),
    mapping: MappingRules,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'SavedMapping', description: 'A mapping as it was saved.', example: SAVED_EXAMPLE });

export const MappingPage = z
  .object({ mappings: z.array(SavedMappingRecord), nextCursor: z.string().nullable() })
  .meta({
    id: 'SavedMappingPage',
    description: 'A page of saved mappings, newest first.',
    example: { mappings: [SAVED_EXAMPLE], nextCursor: null },
  });

export const MappingQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

export const mappingPath = z.object({
  id: z.string().meta({ description: 'Id of the mapping.', example: SAVED_EXAMPLE.id }),
});
