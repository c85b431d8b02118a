import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { envelopeSchema, envelopeTypes } from '#domain/envelopes/catalogue.js';
import { enumsCatalog } from '../src/features/system/catalogues/enumsCatalog.js';
import { outcomeTemplates } from '../src/features/system/catalogues/outcomeTemplates.js';
import { describeApi } from '../src/features/system/system/describeApi.js';
import { linesOf } from './data/linesOf.js';
import { routeTable } from './harness/routeTable.js';

/** Sets outside the vocabulary of the domain, each with the place that explains its values. */
const explainedElsewhere: Readonly<Record<string, string>> = {
  'en|de': 'languages, in the description of the parameter',
  '0|1': 'a switch in a query',

  'json|csv': 'the form of an answer',
  'comma|semicolon|tab': 'the separator of a file: its field says it',
  'key|user|operator': 'who is signed in to the console',
  'utf-8|windows-1252|utf-16le|utf-16be': 'the encoding of a file: its field says it',
  'row|column': 'the entries of a list: its field says it',
  'date|number': 'the content of a column: its field says it',
  'iso_date|day_month_year|month_day_year|decimal_point|decimal_comma':
    'the set mappingTransform, and none: its field says it',
  'json|html': 'the form of an answer',
  'start|stop': 'what to do with the share token: its field says it',
  'json|tlog-proof': 'the form of an answer',
  'jsonresume|jsonld': 'the form of an answer',
  'vc2|vc1': 'the form of a credential',
  'outcome|recorded': 'the day on which an outcome counts: its field says it',
  'day|week|month': 'the step of a course: its field says it',
  'asc|desc': 'the order of a list',
  'score|lastActivity|registered|externalId': 'the order of the book',
  'light|dark': 'the looks of the badge',
  dispatch: 'the only context of the dispatch read',
  'event|score': 'which of two fields an item of the timeline has',
  'outcomes|ageing|rules': 'what moved a score: its field says it',
  'late|unconfirmed': 'which outcomes of a type a part of a move holds: its field says it',
  'newest|deadline': 'the order of disputes: its field says it',
  'resolution|lapse': 'how a dispute can end: its field says it',
  'record|blank': 'what a projection starts from: its field says it',
  'insufficient_data|no_score': 'why there is no benchmark: its field says it',
  '0-29|30-89|90-364|365+': 'days of a tenure: its field says it',
  population_too_large: 'why there is no sum: its field says it',
  'reference|platform': 'who confirmed an entry of a career export: its field says it',
  'own|known|stated|none': 'who signed an imported file: its field says it',
  'linked|unlinked': 'what a subject did with its links: its field says it',
  'set|cleared': 'what happened to a freeze: its field says it',
  'total|status_class|endpoint': 'the rows of the meters: their field says it',
  'up|down|unchanged': 'the direction of a move',
  'adverse|supporting': 'GET /reason-codes',
  'outcome|qualification|project': '`kind` in the set eventType itself',
  'added|changed|deprecated|fixed|security': 'GET /changelog',
  'campaigns|screenings|agents': 'GET /plans',
  'monitors|policies|notificationChannels|streams|webhookEndpoints': 'GET /plans',
  'ok|busy|failed|wrong_server': 'GET /health/ready',
  'ok|lagging|absent|unknown': 'GET /health/ready',
  'ok|lagging|unknown': 'GET /health/ready',
  'ok|lagging|halted|contradicted|unknown': 'GET /health/ready',
  'ok|failing|contradicting': 'GET /health/ready',
  'operational|degraded|outage': 'GET /status.json',
  'pglite|postgresql': 'GET /status.json',
  'reminders|expiry|disputes|decay|benchmarks|retention': 'a sweep: the operator’s manual',
  'ServiceProfessionalRecordCredential|ServiceEarningsCredential|ServiceDeliveryReceiptCredential|ServiceAgentDeliveryCredential|ServiceBusinessRecordCredential':
    'the metadata of the credential issuer',
};

/** The served sets as values; `GET /outcome-templates` has its values with labels. */
const served = [
  ...Object.values(enumsCatalog).map((set) => set.map(({ value }): string => value)),
  outcomeTemplates()?.industries.map(({ industry }): string => industry) ?? [],
];

const contract = await setsOfContract();

describe('GET /enums', () => {
  test.each([...contract].map(([values, path]) => ({ values, path })))(
    'explains $values',
    ({ values, path }) => {
      const isServed = served.some((set) => values.split('|').every((value) => set.includes(value)));
      const hint = `${path}: add the set to domain/catalogues/enumsCatalog.ts, or say above where its values are explained`;
      expect(isServed || values in explainedElsewhere, hint).toBe(true);
    },
  );

  test('omits only existing sets that it does not serve', () => {
    const useless = Object.keys(explainedElsewhere).filter(
      (values) =>
        !contract.has(values) || served.some((set) => values.split('|').every((v) => set.includes(v))),
    );
    expect(useless).toEqual([]);
  });

  test('serves these sets, values and industries', () => {
    const industries = outcomeTemplates()?.industries.map(({ industry }) => industry) ?? [];
    const sets = Object.entries(enumsCatalog).map(([name, set]) => [name, ...set.map(({ value }) => value)]);
    expect([...sets, ['industry', ...industries]]).toEqual(linesOf('enums.tsv'));
  });
});

/**
 * Every closed set of values in the OpenAPI document and the envelopes, joined by `|`, with one
 * place of use.
 */
async function setsOfContract(): Promise<Map<string, string>> {
  const sets = new Map<string, string>();
  collect(await describeApi(routeTable, 'http://localhost:3000')(), '', sets);
  for (const type of envelopeTypes) collect(z.toJSONSchema(envelopeSchema(type)), type, sets);
  return sets;
}

function collect(value: unknown, path: string, sets: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  if ('enum' in value && Array.isArray(value.enum)) sets.set(value.enum.join('|'), path);
  for (const [key, part] of Object.entries(value)) collect(part, `${path}/${key}`, sets);
}
