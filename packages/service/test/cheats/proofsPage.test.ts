import { expect, test } from 'vitest';
import { cheats, FORK, growingCheats, RESTORE, whoNotices } from './cheats.js';

test('docs/PROOFS.md says who notices each cheat that is played, and no other', () => {
  const played = [...Object.keys({ ...cheats, ...growingCheats }), RESTORE, FORK];
  expect([...whoNotices().keys()].sort()).toEqual(played.sort());
});
