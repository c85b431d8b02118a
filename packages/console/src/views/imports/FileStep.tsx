import type { CsvFile, Separator } from '@reliability/client/csv-file';
import { Select } from '../../kit/form.tsx';
import { texts } from './texts.ts';

interface FileStepProps {
  name: string;
  csv: CsvFile;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  onChange: (changed: { encoding?: CsvFile['encoding']; separator?: Separator }) => void;
}

const SEPARATORS = ['comma', 'semicolon', 'tab'] as const;
const ENCODINGS = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 BE',
} as const;

/** What was recognised in the file, to look at and to correct. */
export function FileStep({ name, csv, columns, rows, onChange }: FileStepProps) {
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
