import { describe, expect, test } from 'vitest';
import { preferredType } from '#kit/http/fixedDocument.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('the preferred media type', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    [BROWSER, 'text/html'],
    ['text/html', 'text/html'],
    ['text/*', 'text/html'],
    ['application/json', 'application/json'],
    ['application/json, text/html', 'application/json'],
    ['application/json;q=0.5, text/html', 'text/html'],
    ['text/html;q=0.5, application/json;q=0.8', 'application/json'],
    ['text/html;q=0, */*', 'application/json'],
    ['application/json;q=0, */*;q=0.1', 'text/html'],
    ['image/png', 'application/json'],
    ['TEXT/HTML', 'text/html'],
    ['text/html;q=nonsense', 'application/json'],
  ])('by Accept: %s', (accept, type) => {
    expect(preferredType(accept, ['application/json', 'text/html'])).toBe(type);
  });
});
