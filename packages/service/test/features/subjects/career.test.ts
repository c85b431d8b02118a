import jsonResumeSchema from '@jsonresume/schema';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { qualificationEventTypes } from '#domain/verifiedProfile.js';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { jsonLd } from '../../../src/features/subjects/career/jsonLd.js';
import { jsonResume } from '../../../src/features/subjects/career/jsonResume.js';
import { webLink } from '../../../src/features/subjects/profile/schemas.js';
import { mint, SHARING_BASE, SHARING_ENV } from '../sharing/sharingFixtures.js';
import { type Alias, alias, ask, scoreOf } from './linkFixtures.js';
import { asked, qualification, respond, verified } from './profileFixtures.js';
import { GOOD } from './subjectFixtures.js';

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const isResume = ajv.compile(jsonResumeSchema.schema);

/** What is wrong with a resume by the standard's own schema. */
function errorsOf(resume: unknown): unknown[] {
  const errors: unknown[] = isResume(resume) ? [] : [...(isResume.errors ?? [])];
  jsonResumeSchema.validate(resume, (found) => found && errors.push(found));
  return errors;
}

describe.each(breadth)('a career export on %s', (engine) => {
  const service = givenSharedService(engine, SHARING_ENV);
  let count = 0;
  const someone = async () => {
    const of = await alias(service, `career-${++count}`, [GOOD]);
    await service.settle();
    return of;
  };
  const exported = (of: Alias, query = '') => ask(service, of, 'GET', `/career-export${query}`);

  /** One entry of each kind, and more where there is something to put in order. */
  const withCareer = async () => {
    const of = await someone();
    const confirmed = (more: object) => verified({ verifiedBy: 'rosa@witness.example', ...more });
    const fitter = { eventType: 'EMPLOYMENT_VERIFIED', title: 'Fitter', issuer: 'Mill Lane Joinery' };
    const helper = { eventType: 'EMPLOYMENT_VERIFIED', title: 'Helper', issuedAt: '2019-01-07' };
    const school = { eventType: 'EDUCATION_VERIFIED', title: 'Carpentry', issuer: 'Northern College' };
    const gas = { eventType: 'CERTIFICATION_VERIFIED', title: 'Gas safety', issuer: 'Trades Board' };
    const url = 'https://register.example/20817?x="<b>';
    for (const body of [
      confirmed({ ...fitter, issuedAt: '2021-04-01', expiresAt: '2024-09-30' }),
      qualification(helper),
      confirmed({ ...school, issuedAt: '2018-07-15T20:30:00Z' }),
      confirmed({ ...gas, issuedAt: '2025-06-01', expiresAt: '9999-12-31', url }),
      qualification({ title: 'Tiling' }),
    ])
      expect((await ask(service, of, 'POST', '/qualifications', { body })).status).toBe(201);
    const work = { title: 'Kitchens', url: 'https://portfolio.example/ü', description: 'Twelve.' };
    const body = { ...work, startedAt: '2025-01-15', completedAt: '2025-11-30' };
    expect((await ask(service, of, 'POST', '/projects', { body })).status).toBe(201);
    return of;
  };

  test('is JSON Resume by default, with each entry in its section', async () => {
    const of = await withCareer();
    const { headers, body } = await exported(of);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="career.json"');
    expect(errorsOf(body)).toEqual([]);
    const checked = (verified: boolean, more = {}) => ({
      'x-verification': {
        verified,
        confirmedThrough: verified ? 'platform' : null,
        expiresAt: null,
        expired: false,
        recordedAt: expect.stringMatching(/Z$/),
        ...more,
      },
    });
    const ended = { expiresAt: '2024-09-30T00:00:00.000Z', expired: true };
    const fitter = { startDate: '2021-04-01', endDate: '2024-09-30', ...checked(true, ended) };
    const gas = { date: '2025-06-01', url: 'https://register.example/20817?x=%22%3Cb%3E' };
    const kitchens = { startDate: '2025-01-15', endDate: '2025-11-30', description: 'Twelve.' };
    expect(body).toMatchObject({
      work: [
        { name: 'Mill Lane Joinery', position: 'Fitter', ...fitter },
        { position: 'Helper', startDate: '2019-01-07', ...checked(false) },
      ],
      education: [
        { institution: 'Northern College', area: 'Carpentry', endDate: '2018-07-15', ...checked(true) },
      ],
      certificates: [
        {
          name: 'Gas safety',
          issuer: 'Trades Board',
          ...gas,
          ...checked(true, { expiresAt: '9999-12-31T00:00:00.000Z' }),
        },
      ],
      skills: [{ name: 'Tiling', ...checked(false) }],
      projects: [{ name: 'Kitchens', url: 'https://portfolio.example/%C3%BC', ...kitchens }],
    });
    expect(body.work[1]).not.toHaveProperty('name');
    expect(body.work[1]).not.toHaveProperty('endDate');
  });

  test('states the score with its evidence, and no attester', async () => {
    const of = await withCareer();
    const { text, body } = await exported(of, '?format=jsonresume');
    const { userId, behavioralQuality, confidenceLabel, ...score } = await scoreOf(service, of);
    const { version, lastModified, 'x-reliability': reliability } = body.meta;
    expect(version).toBe('v1.0.0');
    expect(lastModified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(reliability).toEqual({
      userId,
      issuer: SHARING_BASE,
      verifyUrl: null,
      complete: true,
      score,
      disclosures: expect.arrayContaining([expect.stringContaining('not a consumer report')]),
    });
    expect(text).not.toContain('witness.example');
  });

  test('links to the verification page if the subject shares its record, and mints no token', async () => {
    const of = await someone();
    const basics = { name: of.userId, location: {} };
    expect((await exported(of)).body.basics).toEqual({ ...basics, profiles: [] });
    expect((await exported(of)).body.meta['x-reliability'].verifyUrl).toBeNull();
    const verifyUrl = `${SHARING_BASE}/verify/${await mint(service, of)}`;
    const { body } = await exported(of);
    expect(body.basics).toEqual({ ...basics, profiles: [{ network: 'Reliability record', url: verifyUrl }] });
    expect(body.meta['x-reliability'].verifyUrl).toBe(verifyUrl);
    expect((await exported(of, '?format=jsonld')).body.subjectOf[0].url).toBe(verifyUrl);
  });

  test('is schema.org JSON-LD on request', async () => {
    const of = await withCareer();
    const { headers, body } = await exported(of, '?format=jsonld');
    expect(headers.get('content-type')).toBe('application/ld+json');
    expect(headers.get('content-disposition')).toBe('attachment; filename="career.jsonld"');
    const mark = (value: string) => ({
      identifier: [{ '@type': 'PropertyValue', name: 'verification', value }],
    });
    const confirmed = mark('confirmed by another party');
    const claimed = mark('self-reported');
    const organization = (name: string) => ({ '@type': 'Organization', name });
    const job = (roleName: string, startDate: string) => ({ '@type': 'EmployeeRole', roleName, startDate });
    const credential = (name: string, credentialCategory: string) => ({
      '@type': 'EducationalOccupationalCredential',
      name,
      credentialCategory,
    });
    const joinery = { endDate: '2024-09-30', worksFor: organization('Mill Lane Joinery') };
    const college = organization('Northern College');
    const attended = { endDate: '2018-07-15', alumniOf: college, ...confirmed };
    const awarded = { dateCreated: '2018-07-15', recognizedBy: college, ...confirmed };
    const gas = { datePublished: '2025-06-01', validFrom: '2025-06-01', ...confirmed };
    expect(body).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Person',
      identifier: [{ '@type': 'PropertyValue', propertyID: SHARING_BASE, name: 'userId', value: of.userId }],
      worksFor: [
        { ...job('Fitter', '2021-04-01'), ...joinery, ...confirmed },
        { ...job('Helper', '2019-01-07'), ...claimed },
      ],
      alumniOf: [{ '@type': 'OrganizationRole', roleName: 'Carpentry', ...attended }],
      hasCredential: [
        { ...credential('Carpentry', 'education'), ...awarded },
        { ...credential('Tiling', 'skill'), competencyRequired: 'Tiling', ...claimed },
      ],
      hasCertification: [
        {
          '@type': 'Certification',
          name: 'Gas safety',
          issuedBy: organization('Trades Board'),
          url: 'https://register.example/20817?x=%22%3Cb%3E',
          ...gas,
        },
      ],
      '@reverse': {
        creator: [
          {
            '@type': 'CreativeWork',
            name: 'Kitchens',
            url: 'https://portfolio.example/%C3%BC',
            description: 'Twelve.',
            dateCreated: '2025-11-30',
          },
        ],
      },
      subjectOf: [
        {
          '@type': 'Report',
          name: 'Reliability score',
          abstract: expect.stringMatching(/^[\d.]+ of 100, band [A-Z].*: 1 of 1 recorded outcomes confirmed/),
          dateCreated: expect.stringMatching(/Z$/),
          version: '5.3',
          publisher: { '@type': 'Organization', url: SHARING_BASE },
        },
      ],
    });
  });

  test('says of a confirmed reference that the counterparty confirmed it to the service itself', async () => {
    const userId = `vouched-${++count}`;
    const claim = {
      kind: 'employment',
      title: 'Lead carpenter',
      organization: 'Mill Lane Joinery',
      startDate: '2021-04-01',
      endDate: '2024-09-30T16:00:00Z',
      description: 'Ran a team of four.',
    };
    await respond(service, await asked(service, { userId, claim }));
    const { body } = await service.request('GET', `/users/${userId}/career-export`);
    expect(errorsOf(body)).toEqual([]);
    expect(body.work).toMatchObject([
      {
        name: 'Mill Lane Joinery',
        position: 'Lead carpenter',
        startDate: '2021-04-01',
        endDate: '2024-09-30',
        summary: 'Ran a team of four.',
        'x-verification': { verified: true, confirmedThrough: 'reference' },
      },
    ]);
  });

  test.each(['xml', 'JSONRESUME', 'jsonresume&format=jsonld'])('knows no format "%s"', async (format) => {
    const answer = await exported(await someone(), `?format=${format}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'CAREER_FORMAT_INVALID']);
  });
});

describe('whatever a platform has recorded', () => {
  const dateBetween = (min: string, max: string) =>
    fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true });
  const moment = dateBetween('0001-01-01', '9999-12-31T23:59:59Z');
  const createdAt = dateBetween('2026-01-01', '2027-01-01');
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const linkOf = fc
    .webUrl({ withQueryParameters: true, withFragments: true })
    .chain((url) =>
      fc.constantFrom('', 'ü', '|{}', '[x]', '%', '%zz', '#a#b', '"<>`^').map((end) => url + end),
    )
    .filter((url) => webLink.safeParse(url).success);
  const perhaps = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
  const day = moment.map((at) => at.toISOString().slice(0, 10));
  const entry = fc.record({
    id: fc.uuid(),
    eventType: fc.constantFrom(...qualificationEventTypes),
    title: text,
    issuer: perhaps(text),
    description: perhaps(text),
    startDate: perhaps(
      fc.oneof(
        day,
        moment.map((at) => at.toISOString()),
      ),
    ),
    endDate: perhaps(day),
    issuedAt: perhaps(moment),
    expiresAt: perhaps(moment),
    url: perhaps(linkOf),
    isVerified: fc.boolean(),
    verifiedBy: perhaps(text),
    referenceId: perhaps(fc.uuid()),
    createdAt,
  });
  const project = fc.record({
    id: fc.uuid(),
    title: text,
    url: linkOf,
    description: perhaps(text),
    startedAt: perhaps(moment),
    completedAt: perhaps(moment),
    createdAt,
  });

  test('any career fits the schema of the standard, and no entry is lost', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 8 }),
        fc.array(project, { maxLength: 4 }),
        (qualifications, projects) => {
          const about = {
            userId: 'worker-1',
            issuer: SHARING_BASE,
            isComplete: true,
            score: null,
            verifyUrl: null,
          };
          const drawn = { ...about, qualifications, projects, asOf: new Date('2026-06-01') };
          const resume = JSON.parse(JSON.stringify(jsonResume(drawn)));
          expect(errorsOf(resume)).toEqual([]);
          const { work, education, certificates, skills } = resume;
          expect([work, education, certificates, skills].flat()).toHaveLength(qualifications.length);
          expect(resume.projects).toHaveLength(projects.length);
          const { worksFor, hasCredential, hasCertification, '@reverse': reverse } = jsonLd(drawn);
          expect([worksFor, hasCredential, hasCertification].flat()).toHaveLength(qualifications.length);
          expect(reverse.creator).toHaveLength(projects.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});
