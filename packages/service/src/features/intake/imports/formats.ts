import { csvEncodings } from '@reliability/client/csv-file';
import { z } from 'zod';
import { dateTransforms } from '#domain/mapping/values.js';
import { count, separator } from './store.js';

const formats = z.enum([...dateTransforms, 'decimal_point', 'decimal_comma']);
/** How the texts of a column can be read. */
export type Format = z.output<typeof formats>;

const line = z.object({ line: z.int().min(1), value: z.string() });

export type ColumnFormat = z.output<typeof ColumnFormat>;
const ColumnFormat = z
  .object({
    column: z.string(),
    kind: z.enum(['date', 'number']),
    values: count,
    proposed: formats.nullable(),
    decidedBy: z.object({ row: z.int().min(1), value: z.string() }).nullable(),
    alternatives: z.array(
      z.object({
        format: formats,
        reads: count,
        example: z.object({ value: z.string(), as: z.union([z.string(), z.number()]) }),
      }),
    ),
  })
  .meta({ id: 'ColumnFormat' });

/** What a file shows about its own formats. */
export type Formats = z.output<typeof Formats>;
export const Formats = z
  .object({
    encoding: z.object({
      proposed: z.enum(csvEncodings),
      decidedBy: line.nullable(),
      alternatives: z.array(z.enum(csvEncodings)),
    }),
    separator: z.object({ proposed: separator, decidedBy: line, alternatives: z.array(separator) }),
    totalRows: count,
    columns: z.array(ColumnFormat),
  })
  .meta({ id: 'ImportFormats' });
