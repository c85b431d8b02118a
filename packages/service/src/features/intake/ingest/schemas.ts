import { z } from 'zod';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { cursorParam, instant, pageLimit, pathText, storableText } from '../../../kit/http/query.js';
import { itemsRecorded, Warnings } from '../appendItems.js';
import { MAPPING_EXAMPLE, MappingRules } from '../mappingSchema.js';

const SAVED_EXAMPLE = {
  id: '0199a3c2-b3d4-7f60-8a12-7c5e9d0b4a38',
  name: 'Jobs of the old system',
  mapping: MAPPING_EXAMPLE,
  createdAt: '2026-03-01T09:00:00.000Z',
};

const Record = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Any shape that the mapping can read.' });

/** Loose, so that a warning can name a misspelt property. */
export const IngestBody = z
  .looseObject({
    records: z.array(looseItems(Record)).min(1).max(100),
    mapping: looseItems(MappingRules).nullish(),
    mappingId: z
      .string()
      .max(255)
      .meta({ format: 'uuid' })
      .nullish()
      .meta({ description: 'Id of a saved mapping, instead of `mapping`.', example: SAVED_EXAMPLE.id }),
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
      description: 'About the whole request. Left out if there are none.',
    }),
  })
  .meta({
    id: 'Ingested',
    description:
      'The result of each record. The status is 200 even if records failed, so check `failedCount`.',
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

export type NewMapping = z.output<typeof NewMapping>;
export const NewMapping = z.object({ name: storableText(1, 255), mapping: looseItems(MappingRules) }).meta({
  id: 'NewMapping',
  description: 'A mapping to save under a name.',
  example: { name: SAVED_EXAMPLE.name, mapping: MAPPING_EXAMPLE },
});

export type SavedMapping = z.output<typeof SavedMapping>;
export const SavedMapping = z
  .object({
    id: z.uuid(),
    name: z.string(),
    mapping: MappingRules,
    createdAt: instant,
  })
  .meta({ id: 'SavedMapping', description: 'A saved mapping.', example: SAVED_EXAMPLE });

export const MappingPage = z
  .object({ mappings: z.array(SavedMapping), nextCursor: z.string().nullable() })
  .meta({
    id: 'SavedMappingPage',
    description: 'A page of saved mappings, newest first.',
    example: { mappings: [SAVED_EXAMPLE], nextCursor: null },
  });

export const MappingQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

export const mappingPath = z.object({
  id: pathText('Id of the mapping.', SAVED_EXAMPLE.id),
});
