/** The groups cannot be changed so. The message is for the operator. */
export class GroupsError extends Error {
  override readonly name = 'GroupsError';
}
