import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { checkAnswer } from '#harness/openapiCheck.js';
import { routeTable } from '#harness/routeTable.js';
import { startTestService, TEST_KEYS, type TestService } from '#harness/service.js';
import type { OpenApiDocument, OperationObject } from '#kit/http/openapiSchemas.js';
import { describeApi } from '../../src/features/system/system/describeApi.js';
import { requestSamples } from '../../src/pages/docs/samples.js';
import { settledLog } from '../ledger/log/logDeps.js';
import { LANGUAGES, type Language } from './languages.js';
import { available, type ProgramFolder, programFolder } from './programs.js';
import { type Exchange, markerPath, type RecordingProxy, startRecordingProxy } from './recordingProxy.js';

interface Located {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

const document = await describeApi(() => routeTable(), 'http://localhost:3000')();
const operations = operationsOf(document).sort((a, b) => Number(isEnding(a)) - Number(isEnding(b)));

/** The other examples need what these delete. */
function isEnding({ method, operation }: Located): boolean {
  return method === 'DELETE' || /erase/i.test(operation.operationId);
}

/** Their examples hold a value that only another party can sign, or a secret of this service. */
const NEEDS_A_SECRET = new Set([
  'addCheckpoint',
  'signInToConsole',
  'readConsoleSession',
  'chooseConsoleUser',
]);

const sent = new Map<Language, Exchange[]>();

describe.each(LANGUAGES.filter((language) => available[language]))('the samples in %s', (language) => {
  let service: TestService;
  let proxy: RecordingProxy;
  let folder: ProgramFolder;
  beforeAll(async () => {
    service = await startTestService(mainEngine);
    const report = { userId: 'worker-4711', eventType: 'CONTRACT_FULFILLED' };
    proxy = await startRecordingProxy(service.url, {
      beforeExample: () => settledLog(service.db), // a client would ask again for what is not yet in the log
      onStream: () => service.request('POST', '/events', { body: report }),
    });
    folder = programFolder();
    const texts = operations.map(({ method, path, operation }) => {
      const samples = requestSamples(document, proxy.url, method, path, operation);
      return samples.find((sample) => sample.language === language)?.text ?? '';
    });
    await folder.run(language, programOf[language](texts, proxy.url), {
      RELIABILITY_KEY: TEST_KEYS.live,
      ADMIN_SECRET: TEST_KEYS.admin,
    });
    sent.set(language, [...proxy.exchanges]);
  });
  afterAll(async () => {
    folder?.remove();
    await proxy?.close();
    await service?.close();
  });

  test('send their examples and get documented answers', () => {
    for (const [number, located] of operations.entries()) {
      const exchanges = proxy.exchanges.filter(({ example }) => example === number);
      expect(exchanges, located.operation.operationId).toHaveLength(1);
      for (const exchange of exchanges) expectSound(language, located, exchange);
    }
  });
});

function expectSound(language: Language, { method, path, operation }: Located, exchange: Exchange): void {
  const { operationId } = operation;
  expect(exchange.method, operationId).toBe(method);
  expect(exchange.path.split('?', 1)[0], operationId).toMatch(patternOf(path));
  const example = exampleOf(operation);
  // Structs leave out texts that are null.
  const isLess = language === 'go' && method !== 'PATCH';
  const sent = isLess && typeof example === 'object' ? withoutNull(example) : example;
  const found = contentOf(exchange);
  expect(isLess && typeof found === 'object' ? withoutNull(found) : found, operationId).toEqual(sent);
  const { status, contentType, answer } = exchange;
  const body = contentType.includes('json') && answer !== '' ? JSON.parse(answer) : answer;
  checkAnswer(document, method, exchange.path, status, body, contentType);
  // The log may cover an event some moments after its report.
  if (body?.code === 'NOT_LOGGED_YET') return;
  expect(status, `${operationId}: ${answer}`).toBeLessThan(500);
  if (!NEEDS_A_SECRET.has(operationId)) {
    expect(body?.code ?? '', `${operationId}: ${answer}`).not.toMatch(
      /VALIDATION_ERROR|BAD_REQUEST|UNAUTHORIZED/,
    );
  }
}

test('all languages send the same requests', () => {
  const [first, ...others] = [...sent.values()].map((exchanges) =>
    exchanges.map(({ example, method, path }) => `${example} ${method} ${path}`).sort(),
  );
  for (const other of others) expect(other).toEqual(first);
});

function operationsOf({ paths }: OpenApiDocument): Located[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function patternOf(path: string): RegExp {
  const literals = path.split(/\{\w+\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^{}]+')}$`);
}

/** Bodies as values, so that spacing and notation do not matter. */
function contentOf({ headers, body }: Exchange): unknown {
  if (body === '') return undefined;
  const type = headers['content-type'] ?? '';
  if (type.includes('json')) return JSON.parse(body);
  return type.includes('form') ? Object.fromEntries(new URLSearchParams(body)) : body;
}

function withoutNull(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, own) => own ?? undefined));
}

function exampleOf({ requestBody }: OperationObject): unknown {
  return Object.values(requestBody?.content ?? {})[0]?.example;
}

/** One program of all samples. A refused request does not end it. */
const programOf: Record<Language, (samples: readonly string[], url: string) => string> = {
  sh: (samples, url) =>
    samples
      .map((text, number) => `curl -sS '${url}${markerPath(number)}'\n${text} -sS -o /dev/null || true\n`)
      .join(''),
  ts: (samples, url) => {
    const bodies = samples.map((text) => text.replace(/^import .*\n\n/, ''));
    const stopped = bodies.map((text) => text.replace('console.log(envelope);', 'break;'));
    const calls = stopped.map(
      (text, number) => `
await fetch('${url}${markerPath(number)}');
await (async () => {
${text}
})().catch((error) => {
  if (error.name !== 'ReliabilityError') throw error;
});`,
    );
    return `import { createClient } from '@reliability/client';\n${calls.join('')}`;
  },
  python: (samples, url) => {
    const calls = samples.map((text, number) => {
      const stopped = text.replace('    print(envelope)', '    break').replace(/^(?=.)/gm, '    ');
      return `requests.get('${url}${markerPath(number)}')\ntry:\n${stopped}\nexcept ReliabilityError:\n    pass\n`;
    });
    return `import requests\nfrom reliability_client import ReliabilityError\n${calls.join('')}`;
  },
  go: (samples, url) => {
    const functions = samples.map((text, number) => {
      const going = text
        .replaceAll('log.Fatal(err)', 'log.Print(err)')
        .replace(/^.*envelopes\.Value.*$/m, 'break');
      return `func sample${number}() {\n${going}\n}\n`;
    });
    const calls = samples.map(
      (_, number) => `\thttp.Get("${url}${markerPath(number)}")\n\tsample${number}()\n`,
    );
    const imports = ['context', 'fmt', 'io', 'log', 'net/http', 'net/url', 'os', 'strings'];
    return `package main

import (
${imports.map((name) => `\t"${name}"\n`).join('')}
\treliability "reliability.example/client"
)

${functions.join('\n')}
func main() {
${calls.join('')}}
`;
  },
};
