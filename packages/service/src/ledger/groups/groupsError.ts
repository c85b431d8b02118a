import { type ServiceError, serviceError } from '../../domain/errors.js';

/** The groups cannot be changed so. The message is for the operator. */
export class GroupsError extends Error {
  override readonly name = 'GroupsError';
}

/** The group was added a moment ago, its node was away at the start, or the role has no rights on it. */
export function unopenedGroup(group: number): ServiceError {
  return serviceError('SERVICE_UNAVAILABLE', {
    message: `This process has not opened ledger group ${group} yet. Try again in a moment.`,
  });
}
