import { NOTHING_DECLARED } from '../../domain/declaredSubject.js';
import type { Insiders } from '../../domain/evidence.js';
import { namesOf } from '../../domain/sameParty.js';
import type { Queryable } from '../../kit/db/database.js';
import { subjectIdOf } from '../subjectId.js';
import { findDeclarations } from './knownDeclarations.js';

interface Reporting {
  readonly platformId: string;
  readonly platformName: string;
  readonly livemode: boolean;
}

/**
 * The parties that cannot attest outcomes of these subjects, by the declarations in force. The
 * subjects may be unknown.
 */
export async function loadInsiders(
  db: Queryable,
  { platformId, platformName, livemode }: Reporting,
  externalIds: readonly string[],
): Promise<(externalId: string) => Insiders> {
  const idOf = (externalId: string) => subjectIdOf(platformId, livemode, externalId);
  const found = await findDeclarations(db, [...new Set(externalIds)].map(idOf));
  const platform = namesOf([platformName]);
  return (externalId) => ({
    externalId,
    platform,
    declared: found.get(idOf(externalId))?.parties ?? NOTHING_DECLARED,
  });
}
