import {
  checkWitnesses,
  fromBase64,
  leafHash,
  openNote,
  parseCheckpoint,
  parseNote,
  verifyByWebCrypto,
  verifyInclusion,
} from '@reliability/proof';
import { fill } from '../../src/domain/fill.js';
import { type Finding, NotCheckable, type Outcome } from './outcome.js';
import {
  continues,
  fromBase64Url,
  isSignedBy,
  type Jwt,
  type PublishedKey,
  parseJwt,
  readLog,
  readPresent,
  readPublic,
  type Service,
} from './service.js';
import { findingOf, openIfUnwitnessed } from './steps.js';
import { bandOf, momentOf, numberOf, type Texts } from './texts.js';

type Fields = Record<string, unknown>;

const CLOCK_SKEW_MS = 5 * 60_000;

/** Checks issuer, signature, dates, status and the place in the log. */
export async function checkCredential(jwt: Jwt, service: Service, now: Date): Promise<Outcome> {
  const { texts } = service;
  const { questions } = texts;
  const credential = fieldsOf(jwt.payload.vc ?? jwt.payload);
  const issuer = issuerOf(jwt, credential);
  if (issuer !== service.did) throw new NotCheckable(...elsewhere(issuer, texts));
  const issued: Finding = {
    question: questions.issuer,
    ok: true,
    text: fill(texts.issuedBy, { address: service.baseUrl }),
  };
  const response = await readPublic(service, '.well-known/did.json');
  const { verificationMethod } = (await response.json()) as { verificationMethod: PublishedKey[] };
  const isSigned = await isSignedBy(jwt, verificationMethod);
  const signature: Finding = { question: questions.signature, ok: isSigned === true, text: texts.signed };
  if (!signature.ok) {
    signature.text = isSigned === null ? texts.unknownKey : texts.forged;
    return { title: texts.titles.forged, ok: false, says: [], findings: [issued, signature], notes: [] };
  }
  const dates = datesOf(credential, now, texts);
  const { status: isInForce, held: isHeld } = questions;
  const status = await orOpen(isInForce, () => statusOf(credential, service, verificationMethod, now));
  const logged = [await orOpen(isHeld, () => placeInLog(credential, service))].flat();
  const findings = [issued, signature, dates, status, ...logged];
  return {
    title: titleOf(status, dates, logged, texts),
    ok: worstOf(findings),
    says: contentOf(credential, texts),
    findings,
    notes: [texts.whose, ...(logged.length > 0 ? [] : [texts.notInLog])],
  };
}

/** A document that cannot be read leaves one question open, not all. */
async function orOpen<T>(question: string, check: () => Promise<T>): Promise<T | Finding> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof NotCheckable)) throw error;
    return { question, ok: null, text: error.message };
  }
}

function titleOf(status: Finding, dates: Finding, logged: readonly Finding[], { titles }: Texts): string {
  if (status.ok === false) return titles.withdrawn;
  if (dates.ok === false) return titles.expired;
  const isOk = worstOf([status, ...logged]);
  if (isOk === false) return titles.logDiffers;
  return isOk ? titles.credentialGood : titles.credentialOpen;
}

function worstOf(findings: readonly Finding[]): boolean | null {
  if (findings.some(({ ok }) => ok === false)) return false;
  return findings.every(({ ok }) => ok) ? true : null;
}

function issuerOf({ payload }: Jwt, { issuer }: Fields): string {
  const named = typeof issuer === 'string' ? issuer : fieldsOf(issuer).id;
  const iss = payload.iss ?? named;
  return iss === named ? String(named) : '';
}

/** Only the issuer can say whether it signed a credential and withdrew it. */
function elsewhere(issuer: string, texts: Texts): ConstructorParameters<typeof NotCheckable> {
  const [host = '', ...path] = issuer.startsWith('did:web:')
    ? issuer.slice('did:web:'.length).split(':').map(decodeURIComponent)
    : [];
  if (!/^[\w.-]+(:\d+)?$/.test(host)) return [fill(texts.otherIssuer, { issuer: issuer || texts.nobody })];
  const address = ['https:/', host, ...path].join('/');
  return [
    fill(texts.otherIssuer, { issuer: address }),
    { text: fill(texts.checkThere, { host }), href: `${address}/check` },
  ];
}

function datesOf(credential: Fields, now: Date, texts: Texts): Finding {
  const from = new Date(String(credential.validFrom ?? credential.issuanceDate));
  const until = new Date(String(credential.validUntil ?? credential.expirationDate));
  const question = texts.questions.dates;
  if (now.getTime() > until.getTime())
    return { question, ok: false, text: fill(texts.expired, { moment: momentOf(until, texts) }) };
  if (from.getTime() > now.getTime() + CLOCK_SKEW_MS)
    return { question, ok: false, text: fill(texts.notYet, { moment: momentOf(from, texts) }) };
  return { question, ok: true, text: fill(texts.validUntil, { moment: momentOf(until, texts) }) };
}

/** Bitstring Status List: the bit of this credential in the signed list. */
async function statusOf(
  credential: Fields,
  service: Service,
  keys: readonly PublishedKey[],
  now: Date,
): Promise<Finding> {
  const { texts } = service;
  const question = texts.questions.status;
  const { statusListCredential: url, statusListIndex } = fieldsOf(credential.credentialStatus);
  const prefix = `${service.baseUrl}/api/v1/status-lists/`;
  const list = String(url).startsWith(prefix) ? String(url).slice(prefix.length) : '';
  if (!/^\d+$/.test(list)) return { question, ok: null, text: texts.noStatus };
  const signed = parseJwt(await (await readPublic(service, `api/v1/status-lists/${list}`)).text());
  const isCurrent = signed && new Date(String(signed.payload.validUntil)).getTime() > now.getTime();
  if (!signed || signed.payload.id !== url || !isCurrent || !(await isSignedBy(signed, keys)))
    return { question, ok: null, text: texts.badStatusList };
  const { encodedList } = fieldsOf(signed.payload.credentialSubject);
  const bits = await unpacked(fromBase64Url(String(encodedList).slice(1)));
  const index = Number(statusListIndex);
  const isSet = ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0;
  return { question, ok: !isSet, text: isSet ? texts.withdrawn : texts.notWithdrawn };
}

async function unpacked(gzipped: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([gzipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Whether the log held the score and still does, and whether its witnesses saw the same log. Empty: the
 * credential does not say where.
 */
async function placeInLog(credential: Fields, service: Service): Promise<Finding[]> {
  const { texts } = service;
  const question = texts.questions.held;
  const inclusion = inclusionIn(credential);
  if (!inclusion) return [];
  const { leafIndex, d, proof, checkpoint, since } = inclusion;
  const note = parseNote(checkpoint);
  const signed = parseCheckpoint(note.text);
  const { size, root } = signed;
  const { logKeys, witnesses } = await readLog(service, signed.origin);
  const bytes = (text: string) => fromBase64(text) ?? new Uint8Array();
  const claim = { index: leafIndex, size, root, leaf: leafHash(bytes(d)), proof: proof.map(bytes) };
  const isGenuine = await openNote(note, logKeys).then(
    () => verifyInclusion(claim),
    () => false,
  );
  if (!isGenuine) return [{ question, ok: false, text: texts.notHeld }];
  const cosigned = await checkWitnesses(
    { checkpoint, cosignatures: [] },
    { witnesses, quorum: 0 },
    logKeys,
    verifyByWebCrypto,
  );
  const witnessed = cosigned.step ? [findingOf(openIfUnwitnessed(cosigned.step), texts)] : [];
  return [await history(), ...witnessed];

  async function history(): Promise<Finding> {
    const present = await readPresent(service, signed.origin, size);
    if (!present.consistency)
      return { question, ok: false, text: fill(texts.shrunk, { now: present.size, before: size }) };
    const head = parseCheckpoint(parseNote(present.checkpoint).text);
    if (!continues(signed, head, present.consistency)) return { question, ok: false, text: texts.changed };
    const text = fill(texts.heldSince, {
      entry: numberOf(leafIndex, texts),
      moment: momentOf(new Date(since), texts),
    });
    return { question, ok: true, text };
  }
}

interface Inclusion {
  leafIndex: number;
  d: string;
  proof: string[];
  checkpoint: string;
  since: string;
}

function inclusionIn({ evidence }: Fields): Inclusion | null {
  const items = Array.isArray(evidence) ? evidence.map(fieldsOf) : [];
  const isInclusion = (type: unknown) => String(type).endsWith('#LogInclusion');
  const found = items.find(({ type }) => Array.isArray(type) && type.some(isInclusion));
  return found ? (found.record as Inclusion) : null;
}

function contentOf(credential: Fields, texts: Texts): Outcome['says'] {
  const { says } = texts;
  const subject = fieldsOf(credential.credentialSubject);
  const record = fieldsOf(subject.record);
  const type = (credential.type as string[]).find((name) => name !== 'VerifiableCredential') ?? '';
  const asOf = new Date(String(subject.asOf));
  return [
    [says.type, (texts.types as Readonly<Record<string, string>>)[type] ?? type],
    ...(typeof record.finalScore === 'number'
      ? ([
          [says.score, `${numberOf(record.finalScore, texts)} (${bandOf(record.scoreBand, texts)})`],
        ] as const)
      : []),
    [says.asOf, momentOf(asOf, texts)],
    [says.subject, String(subject.id)],
  ];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
