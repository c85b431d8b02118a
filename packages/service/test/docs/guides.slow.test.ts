import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { neighboursSettled } from '#harness/neighbours.js';
import { checkAnswer } from '#harness/openapiCheck.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { settledLog } from '../ledger/log/logDeps.js';
import { asShown } from './answerShape.js';
import { type Example, programOf, readGuides } from './guideExamples.js';
import { LANGUAGES, type Language, root } from './languages.js';
import { available, type ProgramFolder, programFolder } from './programs.js';
import { type Exchange, markerPath, startRecordingProxy } from './recordingProxy.js';

const guides = readGuides().filter(({ examples }) => examples.length > 0);
let folder: ProgramFolder;
let document: object;
beforeAll(async () => {
  folder = programFolder();
  for (const { name, text } of guides.flatMap(({ files }) => files)) {
    writeFileSync(join(folder.path, name), text);
  }
  const service = await joinTestService(mainEngine);
  document = (await service.request('GET', '!/openapi.json')).body;
  await service.close();
});
afterAll(() => folder?.remove());

describe.each(guides)('the guide $slug', ({ examples }) => {
  const languages = LANGUAGES.filter(
    (language) => available[language] && examples.some(({ programs }) => programs.has(language)),
  );
  const sent = new Map<Language, readonly Exchange[]>();

  test.each(languages)('runs in %s and shows what the service answers', async (language) => {
    const exchanges = await run(examples, language);
    sent.set(language, exchanges);
    for (const [number, { answer, programs }] of examples.entries()) {
      const own = exchanges.filter(({ example }) => example === number);
      for (const exchange of own) expectDocumented(exchange);
      const isError = typeof answer === 'object' && answer !== null && 'code' in answer;
      const failed = own.filter(({ status }) => status >= 400);
      expect(failed.map(({ answer: text }) => text)).toHaveLength(isError && own.length > 0 ? 1 : 0);
      const last = own.at(-1);
      if (answer !== undefined && programs.has(language)) {
        expect(JSON.parse(last?.answer ?? 'null')).toEqual(asShown(answer));
      }
    }
  });

  test('sends the same requests in every language', () => {
    for (const [number, { programs }] of examples.entries()) {
      const requests = [...sent]
        .filter(([language]) => programs.has(language))
        .map(([, exchanges]) => requestsOf(exchanges.filter(({ example }) => example === number)));
      for (const other of requests.slice(1)) expect(other).toEqual(requests[0]);
    }
  });
});

test('the TypeScript of the guides passes a strict compiler', async () => {
  const files = guides
    .filter(({ examples }) => examples.some(({ programs }) => programs.has('ts')))
    .map(({ slug, examples }) => {
      const name = `${slug}.ts`;
      const text = programOf(examples, 'ts', () => '');
      writeFileSync(join(folder.path, name), `${text}\nexport {};\n`);
      return name;
    });
  const strict = '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck';
  const target = '--target es2022 --module nodenext --lib es2023,dom --types node';
  const source = '--customConditions source --allowImportingTsExtensions --preserveSymlinks false';
  const args = [
    join(root, 'node_modules/typescript7/bin/tsc'),
    ...`${strict} ${target} ${source}`.split(' '),
    ...['--typeRoots', join(root, 'node_modules/@types')],
    ...files,
  ];
  await promisify(execFile)('npm', ['run', 'generate:client'], { cwd: root }); // its types are not committed
  const compiled = promisify(execFile)(process.execPath, args, { cwd: folder.path });
  const { stdout } = await compiled.catch((failed: { stdout: string }) => failed);
  expect(stdout).toBe('');
});

/** Each run has a platform of its own. Before each example the scores and the log are up to date. */
async function run(examples: readonly Example[], language: Language): Promise<readonly Exchange[]> {
  const service = await joinTestService(mainEngine);
  const proxy = await startRecordingProxy(service.url, {
    beforeExample: () => settled(service),
    onStream: () => service.request('POST', '/test/seed', { key: service.testKey, body: {} }),
    beforeRead: (path) => neighboursSettled(service.db, path),
  });
  try {
    const usesLiveKey = examples[0]?.programs.get('sh')?.includes('RELIABILITY_KEY=crd_live_');
    const program = programOf(examples, language, (number) => proxy.url + markerPath(number));
    await folder.run(language, program, {
      RELIABILITY_URL: proxy.url,
      RELIABILITY_KEY: usesLiveKey ? service.liveKey : service.testKey,
    });
    return proxy.exchanges;
  } finally {
    await proxy.close();
    await service.close();
  }
}

async function settled(service: TestService): Promise<void> {
  await service.settle();
  await settledLog(service.db);
}

function expectDocumented({ method, path, status, contentType, answer }: Exchange): void {
  const body = contentType.includes('json') && answer !== '' ? JSON.parse(answer) : answer;
  checkAnswer(document, method, path, status, body, contentType);
}

/** Without ids and tokens, which differ in each run. */
function requestsOf(exchanges: readonly Exchange[]): unknown[] {
  const known = (text: string) =>
    text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replace(/\b(?:st|cft|rft|rl)_[\w-]+/g, 'TOKEN');
  return exchanges.map(({ method, path, body, headers }) => {
    // A file is sent as it is or in JSON.
    if (method === 'POST' && /\/imports\b/.test(path)) return [method, path.split('?', 1)[0]];
    const isJson = headers['content-type']?.includes('json') === true && body !== '';
    const [own, query = ''] = known(path).split('?');
    return [method, own, query.split('&').sort(), isJson ? JSON.parse(known(body)) : body];
  });
}
