import { ISSUER_NAME } from '../issuing/issuer.js';
import type { ShareToken } from '../issuing/shareTokens.js';

const ADD_TO_PROFILE = 'https://www.linkedin.com/profile/add';

/**
 * What fills in LinkedIn's form for a certification (RULES C11). It points at the page of the share token, which shows the
 * record as it is, so it has no end of its own: it opens nothing any more once the token is withdrawn.
 */
export function linkedInEntry({ token, verifyUrl }: Pick<ShareToken, 'token' | 'verifyUrl'>, now: Date) {
  const entry = {
    name: 'Verified professional record',
    organizationName: ISSUER_NAME,
    issueYear: now.getUTCFullYear(),
    issueMonth: now.getUTCMonth() + 1,
    certUrl: verifyUrl,
    certId: token,
  };
  const fields = Object.entries({ startTask: 'CERTIFICATION_NAME', ...entry });
  // Not URLSearchParams, which writes a space as a plus: LinkedIn would show it.
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return { addToProfileUrl: `${ADD_TO_PROFILE}?${query}`, ...entry };
}
