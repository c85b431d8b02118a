import {
  formatVerifierKey,
  NoteError,
  ProofFormatError,
  parseProofText,
  parseVerifierKey,
  type Step,
  type Verification,
  type VerifierKey,
  verify,
} from '@reliability/proof';
import { z } from 'zod';
import { datedText, dateOrTimestamp, isInOrder } from '#domain/dateOrTimestamp.js';
import { qualificationEventTypes } from '#domain/verifiedProfile.js';
import { storableText } from '#kit/http/query.js';
import { isStorableText } from '#kit/http/text.js';
import type { Claim } from '#ledger/profile/qualifications.js';
import { webLink } from '../profile/schemas.js';

/** A file of a record link, and what this installation knows without asking anybody. Plain data: threads exchange it. */
export interface CareerFile {
  readonly text: string;
  /** Verifier keys of its own logs, of logs that it witnesses, and of the witnesses of its own. */
  readonly own: readonly string[];
  readonly watched: readonly string[];
  readonly witnesses: readonly string[];
  readonly now: Date;
}

/** How far the signature under a file can be relied on. The first two do not rest on the file. */
export const signers = ['own', 'known', 'stated', 'none'] as const;

export interface CheckedCareer {
  readonly stated: Stated;
  readonly verification: Pick<Verification, 'ok' | 'isComplete' | 'steps'>;
  readonly signer: (typeof signers)[number];
  /** Of the log. Null: not signed. */
  readonly origin: string | null;
  readonly score: SignedScore | null;
  readonly outcomes: { readonly stated: number; readonly proven: number };
  readonly claims: readonly Claim[];
  readonly refused: readonly { index: number; reason: string }[];
}

export type SignedScore = z.output<typeof SignedScore>;
export const SignedScore = z.object({
  finalScore: z.number(),
  scoreBand: z.string(),
  confidence: z.number(),
  formulaVersion: z.string(),
  asOf: z.string(),
});

const MAX_QUALIFICATIONS = 1000;
const MAX_KEYS = 100;

const short = z.string().max(255);

type Stated = Omit<z.output<typeof StatedFile>, 'log' | 'qualifications' | 'outcomes'>;
const StatedFile = z.object({
  generatedAt: short,
  service: z.string().max(2048),
  platform: z.object({ id: short, name: short }),
  userId: short,
  log: z.object({ keys: z.array(z.string().max(1000)).max(MAX_KEYS) }).nullable(),
  qualifications: z.array(z.unknown()).max(MAX_QUALIFICATIONS),
  outcomes: z.array(z.unknown()),
});

/** A qualification as the file states it. Whether and by whom it was confirmed there is not read. */
const StatedQualification = z
  .object({
    eventType: z.enum(qualificationEventTypes),
    title: storableText(1, 255),
    issuer: storableText(1, 255).nullable(),
    startDate: datedText.nullable(),
    endDate: datedText.nullable(),
    issuedAt: dateOrTimestamp.nullable(),
    expiresAt: dateOrTimestamp.nullable(),
    url: webLink.refine(isStorableText, 'contains a character that cannot be stored').nullable(),
  })
  .refine(
    ({ issuedAt, expiresAt }) => isInOrder(issuedAt, expiresAt),
    'expiresAt must not be before issuedAt',
  );

/**
 * Verifies a file without any network. Never throws, whatever the text is: a text that is no such file
 * gives the reason.
 */
export async function checkCareer(file: CareerFile): Promise<CheckedCareer | { readonly refusal: string }> {
  try {
    return await check(file);
  } catch (error) {
    if (error instanceof ProofFormatError || error instanceof NoteError) return { refusal: error.message };
    if (error instanceof z.ZodError) return { refusal: sentenceOf(error) };
    throw error;
  }
}

async function check({ text, own, watched, witnesses, now }: CareerFile): Promise<CheckedCareer> {
  const value = parseProofText(text);
  const { log, qualifications, outcomes, ...stated } = StatedFile.parse(value);
  const known = [...own, ...watched].map(parseVerifierKey);
  const isKnown = new Set(known.map(({ name }) => name));
  // Under the name of a known log, only its known keys count.
  const keys = (log?.keys ?? []).map(parseVerifierKey).filter(({ name }) => !isKnown.has(name));
  const verification = await verify(value, {
    logKey: [...known, ...keys],
    witnesses: witnesses.map(parseVerifierKey),
    quorum: 0,
    now,
  });
  if (verification.kind !== 'held file')
    throw new ProofFormatError(verification.steps[0]?.text ?? 'This is no file of a record link');
  const { ok, isComplete, steps } = verification;
  const signed = signedBy(steps);
  return {
    stated,
    verification: { ok, isComplete, steps },
    signer: ok && signed ? signerOf(signed.origin, steps, { own, known }) : 'none',
    origin: signed?.origin ?? null,
    score: ok && signed ? scoreIn(value) : null,
    outcomes: { stated: outcomes.length, proven: ok && signed ? provenIn(steps) : 0 },
    ...claimsOf(qualifications),
  };
}

/** The log that signed all checkpoints of the file, or the first of them. Null: some are not signed, or there is none. */
function signedBy(steps: readonly Step[]): { origin: string } | null {
  const [first, ...others] = steps.filter(({ name }) => name === 'checkpoint');
  const isSigned = (step: Step) => step.code === 'signed';
  return first && [first, ...others].every(isSigned) ? (first.params as { origin: string }) : null;
}

function signerOf(
  origin: string,
  steps: readonly Step[],
  { own, known }: { own: readonly string[]; known: readonly VerifierKey[] },
): CheckedCareer['signer'] {
  const key = known.find(({ name }) => name === origin);
  if (key) return own.includes(formatVerifierKey(key)) ? 'own' : 'known';
  const cosigned = steps.filter(({ name }) => name === 'witnesses');
  const isWitnessed = ({ ok, params }: Step) =>
    ok === true && (params as { witnesses: string[] }).witnesses.length > 0;
  return cosigned.length > 0 && cosigned.every(isWitnessed) ? 'known' : 'stated';
}

function scoreIn(value: unknown): SignedScore | null {
  const { scoreProof } = value as { scoreProof: { snapshot: { fact: unknown } } | null };
  return scoreProof && SignedScore.parse(scoreProof.snapshot.fact);
}

function provenIn(steps: readonly Step[]): number {
  const { params = {} } = steps.find(({ name }) => name === 'outcomes') ?? {};
  const { of = 0, unproven = 0 } = params as { of?: number; unproven?: number };
  return of - unproven;
}

function claimsOf(qualifications: readonly unknown[]): Pick<CheckedCareer, 'claims' | 'refused'> {
  const claims: Claim[] = [];
  const refused: { index: number; reason: string }[] = [];
  for (const [index, stated] of qualifications.entries()) {
    const { data, error } = StatedQualification.safeParse(stated);
    if (data) claims.push(data);
    else refused.push({ index, reason: sentenceOf(error) });
  }
  return { claims, refused };
}

function sentenceOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.') ?? '';
  return `${path === '' ? 'It' : `\`${path}\``}: ${issue?.message ?? 'is not valid'}`;
}
