/**
 * The Content-Security-Policy of pages whose scripts and styles are files of the service: none within
 * the page, and nothing from elsewhere.
 * @param more further directives, such as `frame-src 'self'`.
 */
export function ownFilesPolicy(...more: string[]): string {
  return ["default-src 'none'", ...more, ...DIRECTIVES].join('; ');
}

const DIRECTIVES = [
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
