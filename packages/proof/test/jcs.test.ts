import { describe, expect, test } from 'vitest';
import { canonicalJson, type JsonValue, utf8 } from '../src/index.js';

describe('canonical JSON is as RFC 8785 shows it', () => {
  test('the example of section 3.2.2, and its bytes', () => {
    const value = {
      // biome-ignore lint/correctness/noPrecisionLoss: the RFC's number
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    const text =
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';
    expect(canonicalJson(value)).toBe(text);
    expect(Buffer.from(utf8(text)).toString('hex')).toBe(
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d',
    );
  });

  test('names are in the order of their UTF-16 code units (section 3.2.3)', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const inOrder = [
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ];
    expect(canonicalJson(value).match(/(?<=:")[^"]+/g)).toEqual(inOrder);
  });

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('the double %s is %s (appendix B)', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });
});

describe('beyond the RFC', () => {
  test('a bigint keeps every digit, and a small one reads as the number does', () => {
    expect(canonicalJson({ amount: 12_345_678_901_234_567_890n })).toBe('{"amount":12345678901234567890}');
    expect(canonicalJson([7n, -7n])).toBe(canonicalJson([7, -7]));
  });

  test('the order of names in the input changes nothing, at any depth', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: {} })).toBe(canonicalJson({ a: {}, b: [{ c: 2, d: 1 }] }));
  });

  test('a name such as __proto__ or toString is a name like any other', () => {
    expect(canonicalJson(JSON.parse('{"toString":1,"__proto__":{"a":2}}'))).toBe(
      '{"__proto__":{"a":2},"toString":1}',
    );
  });

  test.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['an infinity', [Number.NEGATIVE_INFINITY]],
    ['a lone surrogate', 'a\ud800b'],
    ['a lone surrogate in a name', { '\udc00': 1 }],
    ['undefined', { a: undefined }],
    ['a hole in an array', new Array(1)],
    ['a function', { a: () => 1 }],
    ['a symbol', Symbol.iterator],
    ['a date', new Date(0)],
    ['a map', new Map()],
  ])('%s is refused', (_, value) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(TypeError);
  });
});
