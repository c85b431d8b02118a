import type { RouteTable } from '#kit/http/route.js';
import type { ServiceDeps } from '../serviceDeps.js';
import type { CareerDeps } from './career/exportCareer.js';
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
}

interface SubjectsRoom {
  routes: readonly RouteTable[];
  /** For the page of a subject. */
  suggest(subject: SuggestedSubject): Promise<Suggestions>;
}

/** Subjects, their scores, links and profiles. */
export function subjectsRoom(deps: SubjectsDeps): SubjectsRoom {
  return {
    routes: [
      scoreRoutes(deps),
      userRoutes(deps),
      nameRoutes(deps),
      subjectRoutes(deps),
      linkRoutes(deps),
      careerRoutes(deps),
      profileRoutes(deps),
      erasureRoutes(deps),
    ],
    suggest: (subject) => readSuggestions(deps, subject),
  };
}
