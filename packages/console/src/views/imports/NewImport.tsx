import { useSignal } from '@preact/signals';
import { type CsvFile, csvRows, csvText, readCsvFile } from '@reliability/client/csv-file';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { type AnswerOf, requestOf, send } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { Page } from '../../kit/parts.tsx';
import { Failure, Skeleton, useQuery } from '../../kit/Query.tsx';
import { setQuery } from '../../kit/router.ts';
import { useAct } from '../../kit/useAction.ts';
import { DryRun, SampleEvents } from './DryRun.tsx';
import { FileStep } from './FileStep.tsx';
import { MappingStep } from './MappingStep.tsx';
import {
  type Chosen,
  isComplete,
  type Mapping,
  mappingByNames,
  openColumns,
  verifiesNothing,
  withChoice,
} from './mapping.ts';
import { texts } from './texts.ts';

interface NewImportProps {
  file: File;
  onDiscard: () => void;
}

/** Rows that are looked at for columns and values; the service reads the whole file. */
const ROWS_READ = 2000;
const ROWS_SHOWN = 5;

/** From the file to the import: what it is, what its columns mean, what would happen. */
export function NewImport({ file, onDiscard }: NewImportProps) {
  const bytes = useSignal<Uint8Array | null>(null);
  const read = useSignal<CsvFile | null>(null);
  const mapping = useSignal<Mapping>({});
  const chosen = useSignal<Chosen>({});
  const result = useSignal<AnswerOf<'POST /imports/dry-run'> | null>(null);
  const trial = useAct();
  const importing = useAct();

  useEffect(() => {
    void file.arrayBuffer().then((buffer) => {
      bytes.value = new Uint8Array(buffer);
      read.value = readCsvFile(bytes.value);
    });
  }, [file]);
  const csv = read.value;
  const [columns = [], ...rows] = useMemo(
    () => (csv ? csvRows(csv.text, csv.separator, ROWS_READ) : []),
    [csv],
  );
  const detected = useQuery(
    (signal) => {
      const { encoding, separator } = csv ?? {};
      const body = new Blob([bytes.value as Uint8Array<ArrayBuffer>]);
      const call = requestOf('POST /imports/detect', { query: { encoding, separator }, body });
      return send(call, { signal, contentType: 'text/csv' });
    },
    [csv?.encoding, csv?.separator],
    { isEnabled: csv !== null },
  );
  const formats = detected.data?.columns ?? [];
  // Before the fields are visible: later, it would undo a first choice.
  useLayoutEffect(() => {
    mapping.value = mappingByNames(columns, formats);
    chosen.value = {};
  }, [columns.join('\n'), JSON.stringify(formats)]);

  if (!csv || !bytes.value) return <Skeleton height={480} />;
  const open = openColumns(mapping.value, formats, chosen.value);
  const isReady = isComplete(mapping.value) && open.length === 0;
  const input = (text: string) => ({
    query: { separator: csv.separator === 'comma' ? undefined : csv.separator },
    body: { csv: text, mapping: mapping.value },
  });
  const sample = csvText([columns, ...rows.slice(0, ROWS_SHOWN)], csv.separator);
  const dryRun = async () => {
    result.value = await trial.run(requestOf('POST /imports/dry-run', input(csv.text)));
  };
  const run = () =>
    importing.run(requestOf('POST /imports', input(csv.text)), ({ id }) => setQuery({ import: id }));
  const isBusy = trial.isBusy || importing.isBusy;
  const failure = importing.failure ?? trial.failure;
  return (
    <Page
      title={texts.title}
      calls={[requestOf('POST /imports/dry-run', input(sample)), requestOf('POST /imports', input(sample))]}
      actions={<Button text={texts.discard} onClick={onDiscard} />}
    >
      <FileStep
        name={file.name}
        csv={csv}
        columns={columns}
        rows={rows.slice(0, 3)}
        formats={formats}
        chosen={chosen.value}
        onChoose={(column, format) => {
          result.value = null;
          chosen.value = { ...chosen.value, [column]: format };
          mapping.value = withChoice(mapping.value, column, formats, chosen.value);
        }}
        onChange={(changed) => {
          result.value = null;
          read.value = changed.encoding
            ? { ...readCsvFile(bytes.value ?? new Uint8Array(), changed.encoding), separator: csv.separator }
            : { ...csv, ...changed };
        }}
      />
      {detected.failure && <Failure of={detected.failure} retry={detected.reload} />}
      {detected.isLoading && <Skeleton height={480} />}
      {columns.length > 0 && !detected.isLoading && !detected.failure && (
        <>
          <MappingStep
            columns={columns}
            rows={rows}
            mapping={mapping.value}
            formats={formats}
            chosen={chosen.value}
            onChange={(changed) => {
              result.value = null;
              mapping.value = changed;
            }}
          />
          {open.length === 0 && (
            <SampleEvents isEnabled={isReady} call={requestOf('POST /imports/dry-run', input(sample))} />
          )}
          <section class="panel" aria-busy={isBusy}>
            <h2>{texts.dryRunDone}</h2>
            {failure && <Failure of={failure} />}
            {open.map(({ column }) => (
              <p key={column} class="warn" role="status">
                {texts.chooseFirst(column)}
              </p>
            ))}
            {result.value && <DryRun of={result.value} />}
            {result.value && verifiesNothing(mapping.value) && <p class="warn">{texts.verifiesNothing}</p>}
            <div class="actions import-actions">
              <Button
                text={trial.isBusy ? texts.dryRunning : texts.dryRun}
                class={result.value ? '' : 'primary'}
                disabled={!isReady || isBusy}
                onClick={dryRun}
              />
              {result.value && result.value.validCount > 0 && isReady && (
                <Button
                  text={importing.isBusy ? texts.starting : runText(result.value)}
                  class="primary"
                  disabled={isBusy}
                  onClick={run}
                />
              )}
            </div>
          </section>
        </>
      )}
    </Page>
  );

  function runText({ validCount, failedCount }: AnswerOf<'POST /imports/dry-run'>): string {
    return failedCount === 0 ? texts.run(validCount) : texts.runFailing(validCount, failedCount);
  }
}
