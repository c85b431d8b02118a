import { z } from 'zod';
import { type MappingField, mappingFields } from '../../domain/mapping/fields.js';
import { transformNames } from '../../domain/mapping/transforms.js';

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const MappingRule = z
  .object({
    path: z.string().min(1).max(255).optional().meta({
      description:
        'Where the value stands in the record: the name of a property or column, or a dot-path to one. Numbers are places in arrays.',
    }),
    constant: Scalar.optional().meta({ description: 'The same for every record; stands alone.' }),
    transform: z.enum(transformNames).optional(),
    table: z.record(z.string(), Scalar).optional().meta({
      description:
        'What each text at the path stands for. A text that is not in it fails the record, unless there is a default. Not beside a transform.',
    }),
    default: Scalar.optional().meta({
      description: 'Taken as it is where the record has nothing at the path, null, or an empty text.',
    }),
  })
  .meta({ id: 'MappingRule', description: 'Where the value of one field comes from.' });

export const MAPPING_EXAMPLE = {
  userId: { path: 'worker.id' },
  eventType: { path: 'status', table: { done: 'CONTRACT_FULFILLED', 'no show': 'CONTRACT_BREACHED' } },
  stakeLevel: { constant: 'LOW' },
  transactionValue: { path: 'price_cents', transform: 'cents_to_units' },
  completedAt: { path: 'finished', transform: 'iso_date' },
  isVerified: { path: 'approved', transform: 'boolean', default: false },
  verifiedBy: { path: 'client' },
  idempotencyKey: { path: 'job_no' },
  metadata: { jobNo: { path: 'job_no' } },
} as const;

/** What a mapping looks like, for the API reference; `compileMapping` is what reads one. */
export const MappingRules = z
  .object({
    ...(Object.fromEntries(
      Object.keys(mappingFields).map((field) => [
        field,
        field === 'userId' || field === 'eventType' ? MappingRule : MappingRule.optional(),
      ]),
    ) as Record<MappingField, typeof MappingRule>),
    metadata: z.record(z.string(), MappingRule).optional(),
  })
  .meta({
    id: 'Mapping',
    description:
      'How a record becomes an event: a rule for each field that is to be filled. Nothing in it is code, and nothing is guessed: a ' +
      'record that a rule cannot read fails, alone, and says why.',
    example: MAPPING_EXAMPLE,
  });

/** The rules in words, for the operations that take a mapping. */
export const MAPPING_GUIDE = `**Mapping.** A rule for each field of an event that it fills, for \`verifiedBy\`, and for each entry of \`metadata\`.

\`{"path": "order.status"}\` reads what stands there. A property or column of that whole name, dots and all, comes first. Absent, null and the empty text are nothing: the \`default\` is taken, or the field is left out.

\`{"path": …, "table": {"done": "CONTRACT_FULFILLED"}}\` looks the value up. What the table does not know fails the record, unless there is a \`default\`.

\`{"path": …, "transform": …}\` changes the value. \`cents_to_units\` divides a whole number by a hundred. \`iso_date\` takes an ISO 8601 date (the first moment of that day in UTC) or timestamp (in UTC where it has no offset), ten digits of unix seconds or thirteen of milliseconds. \`lowercase\` and \`trim\` change text; numbers and booleans pass as they are. \`boolean\` takes true, t, yes, y, on, 1 and false, f, no, n, off, 0, in any case.

\`{"constant": "LOW"}\` is the same for every record.

**Nothing is guessed.** Without a transform, text is taken where it spells a number with a decimal point, true or false, or an RFC 3339 timestamp, and a whole number where an id is wanted. Anything else fails the record: 12,50 as an amount, 03/04/2024 or the 31st of February as a date. Constants, defaults and the values of a table are what the field gets, so one that no event could have is a fault of the mapping.

**Verification.** \`isVerified\` counts only where \`verifiedBy\` names another party for that record: not the subject, nor who runs it, nor your platform, under any spelling. On an agent or business that your platform runs itself it never counts. Else false is recorded, with the warning \`VERIFICATION_DOWNGRADED\`. Who verified an event is its \`attester\`; nothing is added to your metadata.`;
