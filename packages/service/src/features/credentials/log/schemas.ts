import { formatTlogProof } from '@reliability/proof';
import { z } from 'zod';
import { LogReceipt, OPENED_LEAF, RECEIPT_EXAMPLE } from '../../../domain/logProofs.js';
import { EVENT_EXAMPLE } from '../../../domain/outcomeEvent.js';
import { pathText, wholeNumber } from '../../../kit/http/query.js';

export const Receipt = LogReceipt;

export const eventPath = z.object({
  id: pathText('Id of the event.', EVENT_EXAMPLE.id),
});

export const ReceiptQuery = z.object({
  format: z.enum(['json', 'tlog-proof']).optional().default('json').meta({
    description: '`json`, or `tlog-proof` for text in the format C2SP tlog-proof. Default: `json`.',
    example: 'tlog-proof',
  }),
});

export const TLOG_PROOF_EXAMPLE = formatTlogProof(RECEIPT_EXAMPLE);

export const tilePath = z.object({
  level: z
    .string()
    .max(2)
    .meta({ description: 'Level of the tile, from 0 for hashes of leaves.', example: '0' }),
  rest: z
    .string()
    .max(60)
    .meta({
      description:
        'Number of the tile in groups of three digits, all but the last with an x in front: `x001/x234/067`. A tile that is not ' +
        'full has `.p/` and its width at the end.',
      example: '000.p/1',
    }),
});

const MAX_SIZE = 999_999_999_999_999;

export const ConsistencyQuery = z.object({
  from: wholeNumber(0, MAX_SIZE).meta({ description: 'Leaves of the earlier state.', example: '1' }),
  to: wholeNumber(0, MAX_SIZE).meta({ description: 'Leaves of the later state.', example: '1' }),
});

const hashes = z.array(z.string()).meta({ description: 'Hashes of 32 bytes as base64.' });

export const Consistency = z
  .object({
    from: z.int().min(0).meta({ description: 'Leaves of the earlier state.' }),
    to: z.int().min(0).meta({ description: 'Leaves of the later state.' }),
    proof: hashes,
  })
  .meta({
    id: 'LogConsistency',
    description: 'A consistency proof of the transparency log (RFC 9162).',
    example: { from: 3, to: 4, proof: RECEIPT_EXAMPLE.proof },
  });

const identity = {
  origin: z.string().meta({ description: 'Name of the log, the first line of its checkpoints.' }),
  vkey: z.string().meta({ description: 'Key that signs, as `name+id+base64` (C2SP signed-note).' }),
  announcedKeys: z.array(z.string()).meta({ description: 'Keys that will sign after it.' }),
  retiredKeys: z.array(z.string()).meta({ description: 'Keys that signed earlier checkpoints.' }),
  witnesses: z.array(z.string()).meta({ description: 'Keys of witnesses that cosign checkpoints.' }),
};

export const LogIdentity = z
  .object({
    ...identity,
    asWitness: z
      .object({
        vkey: z.string().meta({ description: 'Key that cosigns checkpoints of other logs.' }),
        announcedKeys: z
          .array(z.string())
          .meta({ description: 'Keys that will follow it. They cosign already.' }),
        url: z.string().meta({ description: 'Address under which it has `/add-checkpoint`.' }),
        logs: z.array(z.string()).meta({ description: 'Names of the logs that it witnesses.' }),
      })
      .nullable()
      .meta({
        description: 'This service as a witness of other logs (C2SP tlog-witness); null: it is none.',
      }),
    otherLogs: z
      .array(z.object(identity))
      .meta({ description: 'The logs of further ledger groups. Most installations have none.' }),
  })
  .meta({
    id: 'LogIdentity',
    description: 'Name and keys of the transparency log.',
    example: {
      origin: 'reliability.example/log',
      vkey: 'reliability.example/log+6a3ef0c1+AX1vcyqEpl1wxK0hGgJ1L1sGdzO3yPV0rXkqYJHZqS1b',
      announcedKeys: [],
      retiredKeys: [],
      witnesses: ['witness.example/w1+8d66cf3f+BFnIaX8q5rWvdB7iZ0n1mPq7Yk3oXcUe2sLhTjRgAwMb'],
      asWitness: {
        vkey: 'reliability.example/log/witness+51c3aa70+BMRkq2w1nVt8bXyZcEoHdJ5fLpU0sGiT3aQ7rK9mBvNe',
        announcedKeys: [],
        url: 'https://reliability.example/log/witness',
        logs: ['scores.example/log'],
      },
      otherLogs: [],
    },
  });

export const CHECKPOINT_EXAMPLE = RECEIPT_EXAMPLE.checkpoint;

const SNAPSHOT_EXAMPLE = {
  leafIndex: 2,
  salt: 'q83vASNFZ4mrze8BI0VniQ==',
  fact: {
    kind: 'snapshot',
    at: '2026-03-01T15:45:02.310Z',
    subject: RECEIPT_EXAMPLE.fact.subject,
    members: [{ chain: 'V2hhdCBhIGxlYWYgY29tbWl0cyB0by4gICAgICAgICA=', position: 1 }],
    finalScore: 33.6,
    scoreBand: 'Unproven',
    confidence: 0.2063,
    formulaVersion: '1.0.0',
    asOf: '2026-03-01',
  },
};

const snapshotFact = z
  .looseObject({
    members: z
      .array(
        z.object({
          chain: z.string().meta({
            description:
              'Base64 of c_n: c_0 is 32 zero bytes, c_n is SHA-256(c_(n-1) ‖ d_n), d_n the commitment of event n.',
          }),
          position: z.int().min(0).meta({ description: 'Number of the events that are counted.' }),
        }),
      )
      .meta({ description: 'One for each subject that counts, sorted by `chain`.' }),
  })
  .meta({ description: 'What the leaf commits to.' });

const commitment = z.string().meta({ description: 'Commitment to an event of another platform, as base64.' });

export const ScoreProof = z
  .object({
    userId: z.string(),
    snapshot: z
      .object({ ...OPENED_LEAF, fact: snapshotFact, proof: hashes })
      .meta({ description: 'The published score as a fact of the log, with its inclusion proof.' }),
    reasons: z
      .object({
        factors: z
          .object({
            completion: z.number(),
            timeliness: z.number(),
            disputes: z.number(),
            verification: z.number(),
            gate: z
              .number()
              .meta({ description: 'Points by which the floor or the ceiling moved the score.' }),
          })
          .meta({ description: 'Points by which each factor moved the score, above or below 20.' }),
        adverse: z
          .array(z.string())
          .meta({ description: 'Codes of what lowers the score, most significant first.' }),
        supporting: z.array(z.string()).meta({ description: 'Codes of what speaks for the subject.' }),
      })
      .meta({
        description:
          'The reasons that were stored when exactly this score was published. A verifier computes them from the events and ' +
          'compares.',
      }),
    members: z
      .array(
        z.object({
          subject: z.uuid().optional().meta({ description: 'Left out: of another platform.' }),
          log: z
            .int()
            .min(0)
            .optional()
            .meta({ description: 'The element of `otherLogs` that holds the events. Left out: this log.' }),
          events: z
            .array(
              z.union([z.object(OPENED_LEAF), z.object({ leafIndex: OPENED_LEAF.leafIndex, d: commitment })]),
            )
            .meta({ description: 'By position.' }),
        }),
      )
      .meta({
        description: "The subjects that the score counts, in the order of `members` in the snapshot's fact.",
      }),
    eventProofs: z
      .array(hashes)
      .meta({ description: 'The inclusion proof of each event of all `members`, in the same order.' }),
    checkpoint: z.string().meta({ description: 'Signed checkpoint that all proofs lead to.' }),
    cosignatures: z.array(z.string()).meta({ description: 'Signature lines of witnesses.' }),
    otherLogs: z
      .array(
        z.object({
          checkpoint: z.string().meta({ description: 'Signed checkpoint of this log.' }),
          cosignatures: z.array(z.string()).meta({ description: 'Signature lines of witnesses.' }),
        }),
      )
      .optional()
      .meta({
        description:
          'Other logs of this installation with events of linked subjects. Left out if there are none.',
      }),
  })
  .meta({
    id: 'ScoreProof',
    description: 'A score with everything that it counts, verifiable without this service.',
    example: {
      userId: EVENT_EXAMPLE.userId,
      snapshot: { ...SNAPSHOT_EXAMPLE, proof: RECEIPT_EXAMPLE.proof },
      reasons: {
        factors: { completion: 5.94, timeliness: 2.97, disputes: 1.7, verification: 2.99, gate: 0 },
        adverse: ['LIMITED_VERIFIED_HISTORY'],
        supporting: ['STRONG_COMPLETION_RATE', 'CLEAN_DISPUTE_RECORD', 'INDEPENDENTLY_VERIFIED_RECORD'],
      },
      members: [
        {
          subject: RECEIPT_EXAMPLE.fact.subject,
          events: [
            { leafIndex: RECEIPT_EXAMPLE.leafIndex, salt: RECEIPT_EXAMPLE.salt, fact: RECEIPT_EXAMPLE.fact },
          ],
        },
      ],
      eventProofs: [RECEIPT_EXAMPLE.proof],
      checkpoint: RECEIPT_EXAMPLE.checkpoint,
      cosignatures: [],
    },
  });
