import { formatVerifierKey } from '@reliability/proof';
import { dayOf } from '@reliability/scoring';
import { type CsvColumn, columnsOf, csvLines } from '#kit/csv.js';
import type { OpenRecord } from '#ledger/issuing/recordLinks.js';
import { type HeldProof, openHeldProof } from '#ledger/log/heldProof.js';
import { logVerifierKey } from '#ledger/log/logKey.js';
import { figuresOf } from '#ledger/reads/publishedScores.js';
import { readMemberEntries } from '#ledger/reads/recordEntries.js';
import type { KeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { findReportedScore } from '../report.js';
import { linkedShareOf } from './linkedShare.js';
import { HELD_SCHEMA_PATH, type HeldHead, heldLists, type ListName, type ListRow } from './schemas.js';
import { outcomePages, pagesOf, readContact, readSubject } from './store.js';

export type HeldDeps = Pick<ServiceDeps, 'db' | 'clock' | 'config'> & {
  /** Keys of purpose 'log'. */
  logKeys: KeyRing;
};

/** What the platform stores for itself, and what names other people. */
const LEFT_OUT = [
  'The notes of the platform with an outcome (`metadata`), and what it wrote to counterparties. Ask the platform.',
  'References of counterparties, such as their addresses or account names. `confirmedBy` is a name that the platform gave.',
  'Outcomes at other platforms: `linked` has them in one line. Ask each platform for its own.',
];

/**
 * Everything held about a subject, as JSON in pieces (HeldData). The rows are read page by page, and an
 * error breaks the file off: a file that looks complete is complete.
 */
export async function* heldJson(deps: HeldDeps, record: OpenRecord): AsyncGenerator<string> {
  const { db } = deps;
  const { subjectId, userId, livemode } = record;
  const proof = livemode ? await openHeldProof(db, subjectId) : null;
  yield JSON.stringify(await readHead(deps, record, proof)).slice(0, -1);
  for (const name of Object.keys(heldLists) as ListName[]) {
    yield `,"${name}":[`;
    yield* elements(rowsOf(deps, subjectId, name));
    yield ']';
  }
  yield ',"scoreProof":';
  yield* proof ? proof.scoreProof(userId) : ['null'];
  yield ',"receipts":[';
  yield* proof ? proof.receipts() : [];
  // An erasure may have emptied what was still to be read.
  await readSubject(db, subjectId);
  yield ']}';
}

async function* elements(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let separator = '';
  for await (const page of pages) {
    yield separator + JSON.stringify(page).slice(1, -1);
    separator = ',';
  }
}

async function* rowsOf({ db, clock }: HeldDeps, subjectId: string, name: ListName) {
  if (name === 'outcomes') return yield* outcomePages(db, subjectId);
  const now = clock.now();
  for await (const page of pagesOf(db, subjectId, name)) yield page.map((row) => asOf(row, now));
}

/** A request past its window is stored as PENDING until the sweep. */
function asOf<Row extends object>(row: Row, now: Date): Row {
  if (!('status' in row && 'expiresAt' in row)) return row;
  const isOver = row.status === 'PENDING' && (row.expiresAt as Date) <= now;
  return isOver ? { ...row, status: 'EXPIRED' } : row;
}

async function readHead(
  deps: HeldDeps,
  { subjectId, platformId, livemode }: OpenRecord,
  proof: HeldProof | null,
): Promise<HeldHead> {
  const { db, clock, config } = deps;
  const now = clock.now();
  const [subject, platform, score, members, log] = await Promise.all([
    readSubject(db, subjectId),
    readContact(db, platformId),
    findReportedScore(db, subjectId),
    readMemberEntries(db, subjectId),
    proof && logOf(deps, proof),
  ]);
  const codesOf = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code);
  return {
    schema: `${config.baseUrl}${HELD_SCHEMA_PATH}`,
    generatedAt: now,
    service: config.baseUrl,
    platform,
    livemode,
    ...subject,
    score: score && {
      ...figuresOf(score),
      factors: score.factors.map(({ name, contribution }) => ({ name, contribution })),
      adverse: codesOf(score.adverse),
      supporting: codesOf(score.supporting),
    },
    linked: members && linkedShareOf(members, subjectId, score, dayOf(now)),
    leftOut: LEFT_OUT,
    log,
  };
}

/** Former keys too: the newest checkpoint may be signed with one. */
async function logOf({ config, logKeys }: HeldDeps, { origins }: HeldProof): Promise<HeldHead['log']> {
  const keys = await logKeys.published();
  const named = origins.flatMap((origin) =>
    keys.map(({ publicJwk }) => formatVerifierKey(logVerifierKey(origin, publicJwk))),
  );
  const witnesses = config.logWitnesses.map(({ key }) => formatVerifierKey(key));
  return { origins: [...origins], keys: named, witnesses };
}

/** The outcomes as CSV, a row each. */
export async function* heldCsv({ db }: HeldDeps, { subjectId }: OpenRecord): AsyncGenerator<string> {
  yield* csvLines(COLUMNS, outcomePages(db, subjectId));
  await readSubject(db, subjectId);
}

const COLUMNS: readonly CsvColumn<ListRow<'outcomes'>>[] = columnsOf(
  ...(['eventId', 'eventType', 'occurredAt', 'stakeLevel', 'isVerified', 'confirmedBy'] as const),
  ...(['transactionValue', 'dueDate', 'completedAt', 'recordedAt', 'imported', 'disputeId'] as const),
);
