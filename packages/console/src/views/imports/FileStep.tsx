import type { CsvFile, Separator } from '@reliability/client/csv-file';
import { Options, Select } from '../../kit/form.tsx';
import { formatNumber } from '../../kit/format.ts';
import { language } from '../../kit/texts.ts';
import type { Chosen, ColumnFormat, ColumnFormats } from './mapping.ts';
import { texts } from './texts.ts';

interface FileStepProps {
  name: string;
  csv: CsvFile;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  formats: ColumnFormats;
  chosen: Chosen;
  onChange: (changed: { encoding?: CsvFile['encoding']; separator?: Separator }) => void;
  onChoose: (column: string, format: string) => void;
}

const SEPARATORS = ['comma', 'semicolon', 'tab'] as const;
const ENCODINGS = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 BE',
} as const;

/** What was recognised in the file, to look at and to correct. */
export function FileStep({ name, csv, columns, rows, formats, chosen, onChange, onChoose }: FileStepProps) {
  return (
    <section class="panel">
      <h2>
        {texts.file}{' '}
        <span class="soft" dir="auto">
          {name}
        </span>
      </h2>
      <p class="note">{texts.recognised(texts[csv.separator], ENCODINGS[csv.encoding])}</p>
      <div class="filters">
        <Select
          label={texts.separator}
          of={SEPARATORS}
          textOf={(separator) => texts[separator]}
          chosen={csv.separator}
          onChoose={(separator) => onChange({ separator })}
        />
        <Select
          label={texts.encoding}
          of={Object.keys(ENCODINGS) as CsvFile['encoding'][]}
          textOf={(encoding) => ENCODINGS[encoding]}
          chosen={csv.encoding}
          onChoose={(encoding) => onChange({ encoding })}
        />
      </div>
      {formats.length > 0 && (
        <ul class="formats" aria-label={texts.formats}>
          {formats.map((format) => (
            <li key={format.column}>
              <ColumnFormatLine
                of={format}
                chosen={chosen[format.column]}
                onChoose={(choice) => onChoose(format.column, choice)}
              />
            </li>
          ))}
        </ul>
      )}
      {columns.length === 0 ? (
        <p class="bad" role="alert">
          {texts.noColumns}
        </p>
      ) : (
        <div class="scroll first-rows" tabIndex={0}>
          <table>
            <caption class="hidden">{texts.firstRows}</caption>
            <thead>
              <tr>
                {columns.map((column, index) => (
                  <th key={index} scope="col" dir="auto">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, row) => (
                <tr key={row}>
                  {columns.map((_, index) => (
                    <td key={index} dir="auto">
                      {cells[index]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

interface ColumnFormatLineProps {
  of: ColumnFormat;
  chosen: string | undefined;
  onChoose: (format: string) => void;
}

/** How a column is written and which value shows it, or the question which of two readings is meant. */
function ColumnFormatLine({ of, chosen, onChoose }: ColumnFormatLineProps) {
  const { column, proposed, decidedBy, alternatives } = of;
  if (proposed && decidedBy) {
    return (
      <>
        <strong dir="auto">{column}</strong>: {texts[proposed]}{' '}
        <span class="soft">{texts.decidedBy(decidedBy.value, formatNumber(decidedBy.row))}</span>
      </>
    );
  }
  const values = new Set(alternatives.map(({ example }) => example.value));
  const [value = ''] = values;
  return (
    <label>
      <span>
        <strong dir="auto">{column}</strong>: {values.size === 1 ? texts.whichReading(value) : texts.mixed}
      </span>{' '}
      <select onChange={({ currentTarget: { value } }) => onChoose(value)}>
        <Options
          of={alternatives.map(({ format }) => format)}
          textOf={(format) => {
            const example = alternatives.find((each) => each.format === format)?.example;
            return `${example?.value} = ${meaningOf(example?.as ?? '')} (${texts[format]})`;
          }}
          chosen={chosen}
          none={texts.chooseReading}
        />
      </select>
    </label>
  );
}

/** The month in letters, so that it cannot be taken for the day. */
function meaningOf(as: string | number): string {
  if (typeof as === 'number') return formatNumber(as, 2);
  return new Date(as).toLocaleDateString(language.value === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
}
