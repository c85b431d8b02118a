import { userPath } from '../../../domain/externalId.js';
import { fixedDocument } from '../../../kit/http/fixedDocument.js';
import { everyone, keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { benchmarkCatalogue } from './catalogue.js';
import type { BenchmarkDeps } from './deps.js';
import { readBenchmark } from './readBenchmark.js';
import { Benchmark, BenchmarkCatalogue, BenchmarkQuery } from './schemas.js';

/** Comparison with others, none of whom can be told apart (RULES B1). */
export function benchmarkRoutes(deps: BenchmarkDeps): RouteTable {
  return {
    'GET /users/{id}/benchmark': route({
      operationId: 'readBenchmark',
      access: keyFor('scores'),
      tag: 'Benchmarks',
      summary: 'Compare a score with those of others like it',
      description:
        'In live mode with every record of the installation, linked ones counted once; in test mode with your own test subjects. ' +
        'Figures of cohorts that others are in are made once a day.',
      params: userPath,
      query: BenchmarkQuery,
      answers: { 200: Benchmark },
      errors: ['USER_NOT_FOUND'],
      handle: (context) => readBenchmark(deps, context),
    }),
    'GET /benchmarks': route({
      operationId: 'listBenchmarks',
      access: everyone,
      tag: 'Benchmarks',
      summary: 'List what scores can be compared by',
      description:
        'The dimensions, the cohorts of each, the statistics that are given and the smallest cohort that is shown ' +
        'at all. Use the names as `dimension` in `/users/{id}/benchmark`. The same for everyone, so it can be ' +
        'cached by its `ETag`.',
      answers: { 200: BenchmarkCatalogue, 304: null },
      handle: fixedDocument(benchmarkCatalogue(deps.config.benchmarkMinCohort)),
    }),
  };
}
