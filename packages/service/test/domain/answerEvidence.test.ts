import { describe, expect, test } from 'vitest';
import { browserFamilyOf, isSameNetwork } from '#domain/answerEvidence.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the evidence of an answer', () => {
  test.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`, 'chrome'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/126.0.0.0 Safari/537.36`, 'chrome'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) CriOS/126.0 Mobile/15E148 Safari/604.1',
      'chrome',
    ],
    [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`, 'edge'],
    [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/64.0 Safari/537.36 Edge/17.17134`, 'edge'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 OPR/112.0.0.0`, 'other'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'firefox'],
    ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 FxiOS/127.0 Mobile/15E148 Safari/605.1.15', 'firefox'],
    [
      'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'safari',
    ],
    ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1', 'safari'],
    ['curl/8.5.0', 'other'],
    ['', null],
    [undefined, null],
  ])('%s is %s', (userAgent, family) => {
    expect(browserFamilyOf(userAgent)).toBe(family);
  });

  test.each([
    ['203.0.113.0/24', '203.0.113.0/24', true],
    ['203.0.113.0/24', '203.0.114.0/24', false],
    ['127.0.0.0/24', '::/64', true],
    ['127.0.0.0/24', '127.1.0.0/24', true],
    ['::/64', '2001:db8::/64', false],
    [null, null, false],
    ['203.0.113.0/24', null, false],
  ])('%s and %s are one network: %s', (left, right, isSame) => {
    expect(isSameNetwork(left, right)).toBe(isSame);
  });
});
