import { fail } from '../../domain/errors.js';
import { isUuid } from '../../kit/ids.js';
import { subjectIdOf } from '../subjectId.js';

/** How the operator names a subject (RULES U5): by its own id, or by its external id and the platform it belongs to. */
export interface SubjectAddress {
  id: string;
  platformId?: string | undefined;
  /** Of the external id; a subject's own id holds for its mode alone. */
  livemode: boolean;
}

/** The id of the subject that is meant, which need not exist. USER_NOT_FOUND where it can be none. */
export function addressedSubjectId({ id, platformId, livemode }: SubjectAddress): string {
  const subjectId = platformId === undefined ? id : subjectIdOf(platformId, livemode, id);
  if (isUuid(subjectId)) return subjectId;
  return fail('USER_NOT_FOUND', {
    message: 'The path holds no id of a subject. To use an external id, name its platform in `platformId`.',
  });
}
