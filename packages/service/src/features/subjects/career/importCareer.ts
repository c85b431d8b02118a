import { formatVerifierKey } from '@reliability/proof';
import { z } from 'zod';
import { failValidation } from '#domain/errors.js';
import { createHelperThread, type HelperProgram } from '#kit/backpressure/helperThread.js';
import { ok, type TypedAnswer } from '#kit/http/answer.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import { logVerifierKey, originOf } from '#ledger/log/logKey.js';
import { addClaims, assertProfiled, lockProfiled } from '#ledger/profile/qualifications.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { KeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type CareerFile, type CheckedCareer, checkCareer, SignedScore, signers } from './checkCareer.js';

/** As imports: the file of 10 000 outcomes has about 20 MB. */
export const MAX_CAREER_BYTES = 32 * 1024 * 1024;

/** JSON, read as text: parsed values do not show names that occur twice. */
export const CareerFileBody = looseItems(
  z.record(z.string(), z.unknown()).meta({ id: 'CareerFile' }),
) as z.ZodType<string>;

export const CareerImported = z
  .object({
    userId: z.string(),
    file: z.object({
      generatedAt: z.string(),
      service: z.string(),
      platform: z.object({ id: z.string(), name: z.string() }),
      userId: z.string(),
    }),
    verified: z.boolean(),
    signer: z.enum(signers),
    origin: z.string().nullable(),
    steps: z.array(
      z.object({ name: z.string(), ok: z.boolean().nullable(), code: z.string(), text: z.string() }),
    ),
    score: SignedScore.nullable(),
    outcomes: z.object({ stated: z.int().min(0), proven: z.int().min(0) }),
    qualifications: z.object({
      written: z.int().min(0),
      known: z.int().min(0),
      refused: z.array(z.object({ index: z.int().min(0), reason: z.string() })),
    }),
  })
  .meta({ id: 'CareerImported' });

/** A task of the helper thread. */
export interface CareerTask {
  readonly career: CareerFile;
}

type Checker = typeof checkCareer;

export interface ImportDeps
  extends Pick<ServiceDeps, 'config' | 'db' | 'groups' | 'clock' | 'ids' | 'withIdempotency'> {
  /** Keys of purpose 'log'. */
  logKeys: KeyRing;
  checkCareer: Checker;
}

/** In bytes. Shorter files are verified in the main thread: starting a thread takes longer. */
const SMALL_FILE = 128 * 1024;

/** Verifies long files one after the other, in a thread if there is a program for it. */
export function createCareerChecker(program: HelperProgram | undefined) {
  const thread = program
    ? createHelperThread<CareerTask>({ program, revive: (error) => new Error((error as Error).message) })
    : null;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async check(file: CareerFile): ReturnType<Checker> {
      if (!thread || file.text.length < SMALL_FILE) return checkCareer(file);
      const run = () => thread.run<Awaited<ReturnType<Checker>>>({ career: file });
      const checked = last.then(run, run);
      last = checked;
      return checked;
    },
    async close(): Promise<void> {
      await thread?.close();
    },
  };
}

/**
 * POST /users/{id}/career-import: says what of a file verifies, and adds its qualifications as the
 * subject's own word. Repeated, it adds none twice (RULES Z9). Throws USER_NOT_FOUND.
 */
export async function importCareer(
  deps: ImportDeps,
  context: UserContext<undefined, string>,
): Promise<TypedAnswer<200, z.output<typeof CareerImported>>> {
  const { owner, params, claim, body } = context;
  const subjectId = subjectOf(context);
  await assertProfiled(deps.db, subjectId);
  const now = deps.clock.now();
  const checked = await deps.checkCareer({ text: body, now, ...(await knownKeys(deps)) });
  if ('refusal' in checked) {
    return failValidation([
      { path: '', code: 'custom', message: `is no file of a record link. ${checked.refusal}` },
    ]);
  }
  const profile = { platformId: owner.platformId, livemode: owner.livemode, subjectId };
  return deps.withIdempotency(claim, { now }, async (tx) => {
    await lockProfiled(tx, profile);
    // A file that was changed says nothing about anybody.
    const claims = checked.verification.ok ? checked.claims : [];
    const written = await addClaims(tx, profile, claims, () => ({ id: deps.ids.at(now), createdAt: now }));
    return ok(answerOf(params.id, checked, { written, known: claims.length - written }));
  });
}

async function knownKeys({ config, groups, logKeys }: ImportDeps) {
  const keys = await logKeys.published();
  const origins = groups().map(({ ledgers }) => originOf(config.baseUrl, ledgers.own));
  return {
    own: origins.flatMap((origin) =>
      keys.map(({ publicJwk }) => formatVerifierKey(logVerifierKey(origin, publicJwk))),
    ),
    watched: config.logWitnessFor.map(formatVerifierKey),
    witnesses: config.logWitnesses.map(({ key }) => formatVerifierKey(key)),
  };
}

function answerOf(
  userId: string,
  { stated, verification, signer, origin, score, outcomes, refused }: CheckedCareer,
  counts: { written: number; known: number },
): z.output<typeof CareerImported> {
  return {
    userId,
    file: stated,
    verified: signer !== 'none',
    signer,
    origin,
    steps: verification.steps.map(({ name, ok: isOk, code, text }) => ({ name, ok: isOk, code, text })),
    score,
    outcomes,
    qualifications: { ...counts, refused: [...refused] },
  };
}
