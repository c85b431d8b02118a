import type { HelperProgram } from '#kit/backpressure/helperThread.js';
import type { RouteTable } from '#kit/http/route.js';
import type { KeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../serviceDeps.js';
import type { CareerDeps } from './career/exportCareer.js';
import { createCareerChecker } from './career/importCareer.js';
import { careerRoutes } from './career/routes.js';
import { type ErasureDeps, erasureRoutes } from './erasure/routes.js';
import { linkRoutes } from './links/links.js';
import { nameRoutes } from './names/routes.js';
import { profileRoutes } from './profile/routes.js';
import { type ScoreRouteDeps, scoreRoutes } from './scores/routes.js';
import {
  readSuggestions,
  type SuggestedSubject,
  type Suggestions,
} from './scores/suggestions/suggestions.js';
import { subjectRoutes } from './subjects/routes.js';
import { userRoutes } from './users/routes.js';

interface SubjectsDeps extends ServiceDeps {
  /**
   * Finds a subject's active share token: its career export links to the page that verifies the
   * record.
   */
  shareTokens: CareerDeps['shareTokens'];
  lapseErased: ErasureDeps['lapseErased'];
  languageFor: ScoreRouteDeps['languageFor'];
  /** Keys of purpose 'log'. */
  logKeys: KeyRing;
  /** The program of a thread that verifies long files. Without it the main thread does. */
  importProgram: HelperProgram | undefined;
}

interface SubjectsRoom {
  routes: readonly RouteTable[];
  /** For the page of a subject. */
  suggest(subject: SuggestedSubject): Promise<Suggestions>;
  close(): Promise<void>;
}

/** Subjects, their scores, links and profiles. */
export function subjectsRoom(deps: SubjectsDeps): SubjectsRoom {
  const careerChecker = createCareerChecker(deps.importProgram);
  return {
    routes: [
      scoreRoutes(deps),
      userRoutes(deps),
      nameRoutes(deps),
      subjectRoutes(deps),
      linkRoutes(deps),
      careerRoutes({ ...deps, checkCareer: careerChecker.check }),
      profileRoutes(deps),
      erasureRoutes(deps),
    ],
    suggest: (subject) => readSuggestions(deps, subject),
    close: careerChecker.close,
  };
}
