/** Where the services of examples are: one from a clone, and those of recorded and written answers. */
const OF_EXAMPLES =
  /(?:http:\/\/localhost:3000|https:\/\/(?:scores|reliability)\.example(?:\.com)?)(?![\w-])/g;

/**
 * A text whose examples name this service, so that they work as they are copied. The files stay as
 * they are: examples run from a clone.
 * @param baseUrl from the settings. The address of a request is the caller's to choose.
 */
export function atOwnAddress(text: string, baseUrl: string): string {
  return text.replace(OF_EXAMPLES, () => baseUrl);
}
