import { type Mentions, mentionsOf } from '../../domain/mentions.js';
import { partyKeyOf } from '../../domain/sameParty.js';
import type { Queryable, Tx } from '../../kit/db/database.js';
import { LOWEST_ID } from '../../kit/ids.js';
import type { ClaimedJob } from '../../kit/jobs/jobs.js';
import { factKinds } from '../log/kinds.js';
import { type DroppableText, type HashOfAttester, replaceTexts } from '../text/dropTexts.js';
import { attesterHashOf, readPartySalt } from '../text/formerAttesters.js';
import { candidates, isNaming, type TextSource } from './namingTexts.js';

interface MarkedSource extends TextSource {
  readonly attesterMark: Buffer;
}

const SLICE_EVENTS = 5000;

/**
 * Drops the texts of other subjects' events that name the erased one, as the end of their retention
 * does: the leaves keep their hashes. Walks over the platform's events in slices, since the texts
 * have no index by platform.
 * @returns false: the worker stops before the end.
 * Throws if a text waits for the log, so that the job is tried again.
 */
export async function dropEventTexts(
  job: Pick<ClaimedJob, 'inLease'>,
  source: MarkedSource,
  until: AbortSignal,
): Promise<boolean> {
  let waiting = 0;
  for (let afterId: string | null = LOWEST_ID; afterId !== null; ) {
    if (until.aborted) return false;
    const from: string = afterId;
    const slice = await job.inLease((tx) => dropSlice(tx, source, from));
    waiting += slice.waiting;
    afterId = slice.lastId;
  }
  if (waiting > 0) throw new Error(`${waiting} texts that name an erased subject are not in the log yet`);
  return true;
}

interface NamingText extends DroppableText {
  isLogged: boolean;
}

async function dropSlice(
  tx: Tx,
  { platformId, livemode, externalId, attesterMark }: MarkedSource,
  afterId: string,
): Promise<{ waiting: number; lastId: string | null }> {
  const mentions = mentionsOf(externalId);
  const slice = [platformId, livemode, afterId, SLICE_EVENTS];
  const salt = await readPartySalt(tx);
  const rows = (await findTexts(tx, slice, mentions)).filter((row) => isNamed(mentions, row));
  const hashOf: HashOfAttester = ({ attester }) => {
    if (attester === null) return null;
    return isParty(mentions, attester) ? attesterMark : attesterHashOf(salt, attester);
  };
  const logged = rows.filter(({ isLogged }) => isLogged);
  if (logged.length > 0) await replaceTexts(tx, logged, hashOf);
  await tx.execute(
    `with slice as (${SLICE}), former as (
       delete from event_text_hash r using slice
       where r.event_id = slice.event_id and r.subject_id = slice.subject_id and r.attester_hash = $5
       returning r.subject_id, r.event_id, r.text_hash
     )
     insert into event_text_hash (subject_id, event_id, text_hash, attester_hash)
     select subject_id, event_id, text_hash, $6 from former`,
    [...slice, attesterHashOf(salt, externalId), attesterMark],
  );
  const [last] = await tx.query<{ eventId: string; count: number }>(
    `select max(event_id::text) as event_id, count(*)::integer as count from (${SLICE}) as slice`,
    slice,
  );
  const isEnd = !last || last.count < SLICE_EVENTS;
  return { waiting: rows.length - logged.length, lastId: isEnd ? null : last.eventId };
}

const SLICE = `select subject_id, event_id, position from event
  where platform_id = $1 and livemode = $2 and event_id > $3 order by event_id limit $4`;

function findTexts(db: Queryable, slice: readonly unknown[], mentions: Mentions): Promise<NamingText[]> {
  const columns = [
    { column: 't.attester', isJson: false },
    { column: 't.metadata', isJson: true },
  ];
  const { condition, values } = candidates(columns, mentions, 5);
  return db.query<NamingText>(
    `select s.subject_id, s.event_id, t.metadata::text as metadata, t.transaction_value, t.attester, f.salt,
       f.leaf_index is not null or not $2::boolean as is_logged
     from (${SLICE}) as s join lateral (
       select metadata, transaction_value, attester from event_text as found
       where found.event_id = s.event_id and found.subject_id = s.subject_id limit 1
     ) t on ${condition}
     left join log_fact f on f.subject_id = s.subject_id and f.kind = ${factKinds.event} and f.ref = s.position`,
    [...slice, ...values],
  );
}

function isNamed(mentions: Mentions, { attester, metadata }: DroppableText): boolean {
  const isOfText = typeof metadata === 'string' && isNaming(mentions, 'data', metadata);
  return isOfText || (attester !== null && isParty(mentions, attester));
}

function isParty(mentions: Mentions, attester: string): boolean {
  return mentions.isInReference(attester) || partyKeyOf(attester) === partyKeyOf(mentions.whole);
}
