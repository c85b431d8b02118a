import { expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { exportAll } from '../features/intake/eventFixtures.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

const HOSTILE = '<img src=x onerror="window.hacked=1">';

/** As Excel writes it in Germany: semicolons and Windows-1252. Row 3 and 5 fail. */
const EXCEL = Buffer.from(
  [
    'Auftrag;Person;Stand;Fertig am;Kunde',
    'A-1;jörg;fertig;2024-03-01;Müller',
    'A-2;jörg;abgebrochen;2024-03-02;Müller',
    'A-3;;fertig;2024-03-03;Müller',
    'A-4;anna;fertig;2024-03-04;',
    `A-5;anna;fertig;3. Mai 2024;"${HOSTILE.replaceAll('"', '""')}"`,
    'A-6;eva;fertig;2024-03-06;',
    '',
  ].join('\r\n'),
  'latin1',
);

describeInBrowser('the view of imports in Chromium', () => {
  const service = givenService(mainEngine);
  const { openView } = givenConsole(service);

  test('takes a file of a German spreadsheet from the drop to the mended rows', async () => {
    const page = await openView(service.testKey, '/imports');
    await page.getByText('No import yet.').waitFor();
    await expectGoodLooks(page, 'imports-empty');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: `${HOSTILE}.csv`, mimeType: 'text/csv', buffer: EXCEL });
    await page.getByText('columns separated by semicolon (;), encoding Windows-1252').waitFor();
    await page.getByRole('cell', { name: 'jörg' }).first().waitFor();

    // By choosing, and by dragging.
    await page.getByLabel('Column: Subject').selectOption('Person');
    // A drag that scrolls the page does not arrive.
    await page.setViewportSize({ width: 1280, height: 1600 });
    const outcome = page.locator('[data-field="eventType"]');
    await page.locator('.column-chips li', { hasText: 'Stand' }).dragTo(outcome);
    await page.getByLabel('Meaning of fertig').selectOption('CONTRACT_FULFILLED');
    await page.getByLabel('Meaning of abgebrochen').selectOption('CONTRACT_BREACHED');
    await page.getByLabel('Column: When it ended').selectOption('Fertig am');
    await page.getByLabel('Column: Key of the row').selectOption('Auftrag');
    await page.getByLabel('Column: Verified by').selectOption('Kunde');
    const events = page.locator('.events li');
    await events.filter({ hasText: 'A-2' }).filter({ hasText: 'Agreement broken' }).waitFor();
    expect(await events.count()).toBe(5);
    // Facts that cannot be taken back: who verified says nothing without "Verified".
    await page.getByText('“Verified by” alone verifies nothing').waitFor();
    await page.getByRole('button', { name: 'Every row that names somebody is verified' }).click();
    await events.filter({ hasText: 'verified (Müller)' }).first().waitFor();
    await page.getByText('“Verified by” alone verifies nothing').waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Column: Verified', { exact: true }).inputValue()).toBe('=true');

    await page.getByRole('button', { name: 'Try the whole file' }).click();
    await page.getByRole('cell', { name: /completedAt: iso_date .* not "…"/ }).waitFor();
    await page.getByRole('cell', { name: /userId: is required/ }).waitFor();
    await expectGoodLooks(page, 'imports-mapping');
    expect(await exportAll(service, { key: service.testKey })).toEqual([]);

    await page.getByRole('button', { name: 'Import 4 rows, leave out 2' }).click();
    await page.getByRole('heading', { name: /^Completed/ }).waitFor();
    await page.waitForURL(/import=/);
    const first = await exportAll(service, { key: service.testKey });
    expect(first.map(({ userId, isVerified }) => `${userId} ${isVerified}`).sort()).toEqual([
      'anna false',
      'eva false',
      'jörg true',
      'jörg true',
    ]);

    // Another tab knows nothing of the mapping: the import does.
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByLabel('Person, row 3').fill('anna');
    await page.getByLabel('Fertig am, row 5').fill('May 2024');
    await expectGoodLooks(page, 'imports-mend');
    await page.getByRole('button', { name: 'Send 2 corrected rows' }).click();
    await page.getByText('Recorded: 1, already there: 0, failed again: 1.').waitFor();
    // The row that was recorded is gone, also for who comes back, and the other one stays.
    await page.getByText('sent again from this browser, by row: 3.').waitFor();
    await page.getByRole('cell', { name: /completedAt: .*May 2024/ }).waitFor();
    await page.reload();
    await page.getByText('sent again from this browser, by row: 3.').waitFor();
    expect(await page.getByLabel('Person, row 3').count()).toBe(0);
    await page.getByLabel('Fertig am, row 5').fill('2024-05-03');
    await page.getByRole('button', { name: 'Send 1 corrected row', exact: true }).click();
    await page.getByText('by row: 3, 5.').waitFor();
    await page.getByRole('button', { name: 'Open the import of the corrected rows' }).click();
    await page.getByText('Recorded: 1 row.').waitFor();
    await page.getByText('No row failed.').waitFor();
    const recorded = await exportAll(service, { key: service.testKey });
    expect(recorded.map(({ userId }) => userId).sort()).toEqual([
      'anna',
      'anna',
      'anna',
      'eva',
      'jörg',
      'jörg',
    ]);

    await page.getByRole('button', { name: 'All imports' }).click();
    await page.getByRole('row').nth(3).waitFor();
    await expectGoodLooks(page, 'imports-list');
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('speaks German, and says why a file cannot be used', async () => {
    const german = { locale: 'de-DE', expectedErrors: /400/ };
    const page = await openView(service.liveKey, '/imports', german);
    await page.getByText('Noch kein Import.').waitFor();
    const file = { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('userId,userId\n1,2\n') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByLabel('Spalte: Ergebnis').selectOption('immer Abmachung eingehalten');
    await page.getByText(/Columns 1 and 2 have the same name/).waitFor();
    await page.getByText('Anfrage-ID').first().waitFor();
  });
});
