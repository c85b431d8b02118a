import { describe, expect, test } from 'vitest';
import { mentionsOf } from '#domain/externalId.js';

describe('the external id of a subject in other texts', () => {
  const anna = mentionsOf('anna-77');

  test.each(['anna-77', ' Anna-77 ', 'paid by anna-77.', '(ANNA-77)', 'call_anna-77_again', '"anna-77"'])(
    'is found in %s',
    (text) => expect(anna.isInText(text)).toBe(true),
  );

  test.each(['anna-778', 'joanna-77', 'anna 77', 'anna-7', 'anna-77é', '𝒜anna-77𝒜'])(
    'is not found in %s',
    (text) => expect(anna.isInText(text)).toBe(false),
  );

  test.each(['anna-77-b', 'x_anna-77', 'anna-77@example.com', 'anna-77.b'])(
    'is not part of the reference %s',
    (text) => expect(anna.isInReference(text)).toBe(false),
  );

  test('is found in references, names and values of JSON', () => {
    expect(anna.isInReference('Anna Berg (anna-77)')).toBe(true);
    expect(anna.isInJson({ rows: [{ client: 'anna-77' }] })).toBe(true);
    expect(anna.isInJson({ 'anna-77': 1 })).toBe(true);
    expect(anna.isInJson({ client: 'anna-77-b', count: 77 })).toBe(false);
    expect(mentionsOf('471100').isInJson({ client: 471100 })).toBe(true);
  });

  test('counts only as a whole if it is short', () => {
    const short = mentionsOf('7');
    expect([short.isInText(' 7 '), short.isInText('7 days'), short.isInJson([7, 'on 7 May'])]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
