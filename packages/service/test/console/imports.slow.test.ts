import { expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { exportAll } from '../features/intake/eventFixtures.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

const HOSTILE = '<img src=x onerror="window.hacked=1">';

/** As Excel writes it in Germany: semicolons, Windows-1252, days first, decimal commas. Row 3 and 5 fail. */
const EXCEL = Buffer.from(
  [
    'Auftrag;Person;Stand;Fertig am;Betrag;Kunde',
    'A-1;jörg;fertig;01.03.2024;1.250,50;Müller',
    'A-2;jörg;abgebrochen;13.03.2024;480;Müller',
    'A-3;;fertig;03.03.2024;75,90;Müller',
    'A-4;anna;fertig;04.03.2024;;',
    `A-5;anna;fertig;3. Mai 2024;;"${HOSTILE.replaceAll('"', '""')}"`,
    'A-6;eva;fertig;06.03.2024;;',
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
    const formats = page.locator('.formats li');
    await formats.filter({ hasText: 'Fertig am: date, day first as 13.03.2024 in row 2 shows' }).waitFor();
    await formats.filter({ hasText: 'Betrag: number with a decimal comma as 1.250,50 in row 1' }).waitFor();

    // By choosing, and by dragging.
    await page.getByLabel('Column: Subject').selectOption('Person');
    // A drag that scrolls the page does not arrive.
    await page.setViewportSize({ width: 1280, height: 1600 });
    const outcome = page.locator('[data-field="eventType"]');
    await page.locator('.column-chips li', { hasText: 'Stand' }).dragTo(outcome);
    await page.getByLabel('Meaning of fertig').selectOption('CONTRACT_FULFILLED');
    await page.getByLabel('Meaning of abgebrochen').selectOption('CONTRACT_BREACHED');
    await page.getByLabel('Column: When it ended').selectOption('Fertig am');
    expect(await page.getByLabel('Change: When it ended').inputValue()).toBe('day_month_year');
    await page.getByLabel('Column: Value').selectOption('Betrag');
    await page.getByLabel('Column: Key of the row').selectOption('Auftrag');
    await page.getByLabel('Column: Verified by').selectOption('Kunde');
    const events = page.locator('.events li');
    await events.filter({ hasText: 'A-2' }).filter({ hasText: 'Agreement broken' }).waitFor();
    await events.filter({ hasText: 'A-1' }).filter({ hasText: '1,250.50' }).waitFor();
    expect(await events.count()).toBe(5);
    // Facts that cannot be taken back: who verified says nothing without "Verified".
    await page.getByText('“Verified by” alone verifies nothing').waitFor();
    await page.getByRole('button', { name: 'Every row that names somebody is verified' }).click();
    await events.filter({ hasText: 'verified (Müller)' }).first().waitFor();
    await page.getByText('“Verified by” alone verifies nothing').waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Column: Verified', { exact: true }).inputValue()).toBe('=true');

    await page.getByRole('button', { name: 'Try the whole file' }).click();
    const problems = page.getByRole('table', { name: 'What is wrong, by column' }).getByRole('row');
    await problems
      .filter({ hasText: /Fertig am.*with the day first, such as 03\.10\.2026.*3\. Mai 2024/ })
      .waitFor();
    await problems.filter({ hasText: /Person.*is required.*\(empty\)/ }).waitFor();
    expect(await problems.count()).toBe(3);
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
    await problems.filter({ hasText: 'Fertig am' }).waitFor();
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
    await page.getByLabel('Fertig am, row 5').fill('03.05.2024');
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
    await page.getByText(/Columns 1 and 2 have the same name/).waitFor();
    await page.getByText('Anfrage-ID').first().waitFor();
  });

  test('asks which day is meant where a date has two readings, by keyboard alone, and imports nothing before', async () => {
    const page = await openView(service.testKey, '/imports', { locale: 'de-DE' });
    const buffer = Buffer.from('userId,completedAt,transactionValue\nask-me,03/04/2024,1.250\n,bald,2\n');
    const file = { name: 'offen.csv', mimeType: 'text/csv', buffer };
    await page.locator('input[type=file]').setInputFiles(file);
    const dates = page.getByLabel('completedAt: 03/04/2024 lässt sich verschieden lesen.');
    await dates.waitFor();
    await page.getByLabel('Spalte: Ergebnis').selectOption('immer Abmachung eingehalten');
    await page.getByText('Sagen Sie oben, wie completedAt zu lesen ist.').waitFor();
    const trial = page.getByRole('button', { name: 'Ganze Datei prüfen' });
    expect(await trial.isDisabled()).toBe(true);
    await expectGoodLooks(page, 'imports-open');
    await dates.focus();
    await page.keyboard.press('ArrowDown');
    expect(await dates.locator('option:checked').textContent()).toContain(
      '3. April 2024 (Datum, Tag zuerst)',
    );
    await page.getByLabel('transactionValue: 1.250 lässt sich').selectOption('decimal_comma');
    await page.locator('.events li').filter({ hasText: '1.250,00' }).waitFor();
    await trial.press('Enter');
    const problems = page.getByRole('table', { name: 'Was nicht stimmt, nach Spalte' }).getByRole('row');
    await problems
      .filter({ hasText: /completedAtDatum mit dem Tag zuerst, wie 03\.10\.2026.*bald/ })
      .waitFor();
    await problems.filter({ hasText: /userIddarf nicht leer sein/ }).waitFor();
    await page.getByRole('button', { name: '1 Zeile importieren, 1 auslassen' }).press('Enter');
    await page.getByText('Aufgezeichnet: 1 Zeile.').waitFor();
    const [event] = (await exportAll(service, { key: service.testKey })).filter(
      ({ userId }) => userId === 'ask-me',
    );
    expect(event).toMatchObject({ completedAt: '2024-04-03T00:00:00.000Z', transactionValue: 1250 });
  });
});
