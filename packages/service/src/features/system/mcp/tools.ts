import { type Client, ReliabilityError } from '@reliability/client';
import { parseVerifierKey, verify } from '@reliability/proof';
import { platformTiers, scoreBands, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { confirmableEventTypes, ingestibleEventTypes } from '#domain/catalogues/enums.js';

/** What an agent can do. Each is a call of operations of the API, whose access, limits and checks hold. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** It changes nothing. */
  readonly isRead: boolean;
  run(client: Client, input: z.output<Input>): Promise<object>;
}

const text = (max: number, description: string) => z.string().min(1).max(max).describe(description);
const time = (description: string) =>
  z.string().max(64).optional().describe(`${description} RFC 3339 with a zone: 2026-03-01T17:00:00Z.`);

const userId = text(255, 'The id of the subject at the platform of the key.');
const ofSubject = z.object({ userId });

const outcome = {
  stakeLevel: z.enum(stakeLevels).optional().describe('How much was at stake. Default: MEDIUM.'),
  dueDate: time('When it was due.'),
  completedAt: time('When it happened.'),
};
const isVerified = z
  .boolean()
  .optional()
  .describe('True only if a party other than the subject confirmed it. Default: false.');

const EVIDENCE =
  ' `evidence` has the index of the score in the transparency log, a signed checkpoint and the formula version: verify_proof checks them.';

/** Never more than eight (RULES G3): an agent reads all of them with every task. */
export const tools: Readonly<Record<string, Tool>> = {
  read_score: tool({
    title: 'Read a score',
    description: `Reads how reliable a subject has been, from 0 to 100, with its band and how much evidence there is (confidence).${EVIDENCE}`,
    input: ofSubject,
    isRead: true,
    run: async (client, { userId: id }) => {
      const score = await client.readScore(id);
      return { ...score, evidence: await evidenceOf(client, id, score) };
    },
  }),
  explain_score: tool({
    title: 'Explain a score',
    description: `Says why a score is what it is: the points of each factor and the reasons that lower or support it.${EVIDENCE}`,
    input: ofSubject,
    isRead: true,
    run: async (client, input) => withEvidence(client, input, await client.explainScore(input.userId)),
  }),
  find_subjects: tool({
    title: 'Find subjects',
    description:
      'Lists subjects of the platform with their scores, highest first. `q` finds any part of an id or a name. Continue with `nextCursor`.',
    input: z.object({
      q: text(255, 'Part of an id or a name.').optional(),
      band: z.enum(scoreBands).optional(),
      limit: z.int().min(1).max(100).default(25),
      cursor: text(2000, '`nextCursor` of the page before.').optional(),
    }),
    isRead: true,
    run: (client, input) => client.listUsers(definedOf(input)),
  }),
  project_score: tool({
    title: 'Project a score',
    description: `Computes the score that a subject would have with additional outcomes. Stores nothing.${EVIDENCE}`,
    input: z.object({
      userId,
      events: z
        .array(
          z.object({
            eventType: z.enum(ingestibleEventTypes),
            isVerified,
            ...outcome,
            platformTier: z.enum(platformTiers).optional(),
          }),
        )
        .min(1)
        .max(20),
    }),
    isRead: true,
    run: async (client, { userId: id, events }) =>
      withEvidence(client, { userId: id }, await client.projectScore(id, { events: events.map(definedOf) })),
  }),
  report_outcome: tool({
    title: 'Report an outcome',
    description:
      'Records an outcome of a subject in an append-only ledger: it cannot be changed or removed afterwards. Report what happened, and nothing twice: give an idempotencyKey.',
    input: z.object({
      userId,
      eventType: z.enum(ingestibleEventTypes),
      isVerified,
      ...outcome,
      transactionValue: z.number().min(0).max(1e15).optional().describe('For earnings, never scored.'),
      metadata: z.record(z.string().max(255), z.unknown()).optional().describe('Your own references.'),
      idempotencyKey: text(255, 'A repeat with the same key writes nothing.').optional(),
    }),
    isRead: false,
    run: (client, input) => client.recordEvent(definedOf(input)),
  }),
  request_confirmation: tool({
    title: 'Ask for a confirmation',
    description:
      'Asks the other party of an outcome to confirm it. Contacts nobody: hand `confirmUrl` to that party. A confirmed outcome counts as verified.',
    input: z.object({
      userId,
      eventType: z.enum(confirmableEventTypes),
      ...outcome,
      description: text(2000, 'What the other party is asked about.'),
      counterpartyRef: text(255, 'Who is asked. Never the subject or the platform itself.'),
      counterpartyName: text(255, 'Its name, for the page.').optional(),
      expiresInHours: z.number().min(1).max(2160).optional(),
    }),
    isRead: false,
    run: (client, input) => client.createConfirmation(definedOf(input)),
  }),
  verify_proof: tool({
    title: 'Verify a proof',
    description:
      'Checks step by step that a score follows from the outcomes in the transparency log, or that an outcome is in it. Give userId, eventId, or a proof that you have. Without `vkey`, kept from an earlier day, the signature of the log is not checked.',
    input: z.object({
      userId: userId.optional(),
      eventId: z.uuid().optional(),
      proof: z
        .looseObject({})
        .optional()
        .describe('An answer of /users/{id}/score/proof or /events/{id}/receipt.'),
      vkey: text(500, 'The verifier key of the log, as in /.well-known/ledger-log.json.').optional(),
    }),
    isRead: true,
    run: verifyProof,
  }),
  suggest_next: tool({
    title: 'Suggest what to do next',
    description: `Lists what would raise a score, with the score that follows if it is done today.${EVIDENCE}`,
    input: ofSubject,
    isRead: true,
    run: async (client, input) => withEvidence(client, input, await client.suggestForScore(input.userId)),
  }),
};

function tool<Input extends z.ZodObject>(defined: Tool<Input>): Tool {
  return defined as unknown as Tool;
}

/** Of longer records the proof has so many leaves that an agent has to read it itself. */
const MAX_PROVEN = 1000;

async function withEvidence(client: Client, { userId: id }: { userId: string }, answer: object) {
  return { ...answer, evidence: await evidenceOf(client, id) };
}

/** What an agent needs to check a published score offline. @param known what was read of it before */
async function evidenceOf(client: Client, id: string, known?: Awaited<ReturnType<Client['readScore']>>) {
  const proof = `/api/v1/users/${encodeURIComponent(id)}/score/proof`;
  const none = { leafIndex: null, checkpoint: null, proof };
  let formulaVersion: string | null = null;
  try {
    const score = known ?? (await client.readScore(id));
    formulaVersion = score.formulaVersion;
    if (score.totalEvents > MAX_PROVEN)
      return {
        formulaVersion,
        ...none,
        reason: `The record has more than ${MAX_PROVEN} outcomes: read its proof.`,
      };
    const { snapshot, checkpoint } = await client.readScoreProof(id);
    const { leafIndex, fact } = snapshot;
    return { formulaVersion, leafIndex, checkpoint, logged: fact, proof };
  } catch (error) {
    if (error instanceof ReliabilityError) return { formulaVersion, ...none, reason: error.message };
    throw error;
  }
}

interface Asked {
  readonly userId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly proof?: object | undefined;
  readonly vkey?: string | undefined;
}

async function verifyProof(client: Client, { userId: id, eventId, proof, vkey }: Asked) {
  const given = [id, eventId, proof].filter((each) => each !== undefined);
  if (given.length !== 1) throw new TypeError('Give one of userId, eventId and proof.');
  const logKey = vkey === undefined ? [] : [parseVerifierKey(vkey)];
  const read = id ? await client.readScoreProof(id) : eventId ? await client.readReceipt(eventId) : proof;
  return {
    ...(await verify(read, { logKey, now: new Date() })),
    checkpoint: Object(read).checkpoint ?? null,
  };
}

/** Without the members that were left out: the client's types tell them from undefined ones. */
function definedOf<Input extends object>(
  input: Input,
): { [Name in keyof Input]: Exclude<Input[Name], undefined> } {
  const defined = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as never;
}
