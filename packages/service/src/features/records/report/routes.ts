import { fail } from '../../../domain/errors.js';
import { userPath } from '../../../domain/externalId.js';
import { type LanguageTag, recordWords } from '../../../domain/languages.js';
import { ok, type TypedAnswer } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { refuseTestKey, subjectOf } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { loadReport, type WordedReport } from './loadReport.js';
import { ReliabilityReport, ReportQuery } from './schemas.js';

export type ReportDeps = Pick<ServiceDeps, 'db' | 'clock'> & {
  /** The report as a page to print. */
  showReport(report: WordedReport, reader: ReportReader): TypedAnswer<200, string>;
};

export interface ReportReader {
  readonly lang: LanguageTag | undefined;
  readonly acceptLanguage: string | undefined;
}

/** A score on paper. */
export function reportRoutes({ db, clock, showReport }: ReportDeps): RouteTable {
  return {
    'GET /users/{id}/reliability-report': route({
      operationId: 'readReliabilityReport',
      access: keyFor('scores'),
      tag: 'Records',
      params: userPath,
      query: ReportQuery,
      answers: {
        200: { json: ReliabilityReport, media: [{ type: 'text/html' }] },
      },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED'],
      async handle(context) {
        const { caller, params, query } = context;
        refuseTestKey(caller);
        const report = await loadReport(db, {
          subjectId: subjectOf(context),
          userId: params.id,
          platformName: caller.platformName,
          now: clock.now(),
        });
        if (!report) return fail('USER_NOT_FOUND');
        const { format, lang } = query;
        if (format === 'json') return ok(report(recordWords[lang ?? 'en']));
        return showReport(report, { lang, acceptLanguage: context.header('accept-language') });
      },
    }),
  };
}
