import { fail } from '../../domain/errors.js';
import { isUuid } from '../../kit/ids.js';
import { subjectIdOf } from '../subjectId.js';

/**
 * How the operator names a subject (RULES U5): by its id, or by its external id and its platform.
 */
export interface SubjectAddress {
  id: string;
  platformId?: string | undefined;
  /** Mode of the external id. A subject's own id implies its mode. */
  livemode: boolean;
}

/** The subject's id. The subject may not exist. Throws USER_NOT_FOUND for a malformed id. */
export function addressedSubjectId({ id, platformId, livemode }: SubjectAddress): string {
  const subjectId = platformId === undefined ? id : subjectIdOf(platformId, livemode, id);
  if (isUuid(subjectId)) return subjectId;
  return fail('USER_NOT_FOUND', {
    message: 'The id in the path is not a subject id. To use an external id, set `platformId`.',
  });
}
