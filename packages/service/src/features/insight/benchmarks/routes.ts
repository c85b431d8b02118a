import { userPath } from '../../../domain/externalId.js';
import { ok } from '../../../kit/http/answer.js';
import { fixedDocument } from '../../../kit/http/fixedDocument.js';
import { everyone, keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { benchmarkCatalogue } from './catalogue.js';
import { type BenchmarkDeps, readBenchmark } from './readBenchmark.js';
import { Benchmark, BenchmarkCatalogue, BenchmarkQuery } from './schemas.js';

/** Comparison with others, none of whom can be identified (RULES B1). */
export function benchmarkRoutes(deps: BenchmarkDeps): RouteTable {
  return {
    'GET /users/{id}/benchmark': route({
      operationId: 'readBenchmark',
      access: keyFor('scores'),
      tag: 'Benchmarks',
      params: userPath,
      query: BenchmarkQuery,
      answers: { 200: Benchmark },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ owner, params, query }) =>
        ok(await readBenchmark(deps, owner, params.id, query.dimension)),
    }),
    'GET /benchmarks': route({
      operationId: 'listBenchmarks',
      access: everyone,
      tag: 'Benchmarks',
      answers: { 200: BenchmarkCatalogue, 304: null },
      handle: fixedDocument(benchmarkCatalogue(deps.config.benchmarkMinCohort)),
    }),
  };
}
