import type { ComponentChildren } from 'preact';
import { CurlButton } from './CurlButton.tsx';
import { formatDistance, formatMoment, formatNumber, utcText } from './format.ts';
import { Link } from './Link.tsx';
import { type Loaded, Query } from './Query.tsx';
import { pathTo } from './router.ts';
import type { Call } from './session.ts';
import { catalogue } from './texts.ts';

interface PageProps {
  title: ComponentChildren;
  /** The requests of the view, for the curl button. */
  calls?: readonly Call<unknown>[];
  /** Buttons beside the title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of a view: its title, what one can do, its content. */
export function Page({ title, calls = [], actions, children }: PageProps) {
  return (
    <>
      <header class="page-head">
        <h1 dir="auto">{title}</h1>
        <div class="actions">
          {actions}
          {calls.length > 0 && <CurlButton calls={calls} />}
        </div>
      </header>
      {children}
    </>
  );
}

/** A part of a view with a title, and a soft line below it. */
export function Panel(props: { title: ComponentChildren; lead?: string; children: ComponentChildren }) {
  return (
    <section class="panel">
      <h2>{props.title}</h2>
      {props.lead && <p class="soft">{props.lead}</p>}
      {props.children}
    </section>
  );
}

interface RowsProps<Data, Row extends { id: string }> {
  of: Loaded<Data>;
  rows: (data: Data) => readonly Row[];
  empty: ComponentChildren;
  height?: number;
  class?: string;
  children: (row: Row) => ComponentChildren;
}

/** The rows of an answer as a list. */
export function Rows<Data, Row extends { id: string }>(props: RowsProps<Data, Row>) {
  const { of, rows, empty, height, class: look = 'entries', children } = props;
  return (
    <Query of={of} height={height} isEmpty={(data) => rows(data).length === 0} empty={empty}>
      {(data) => (
        <ul class={look}>
          {rows(data).map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
      )}
    </Query>
  );
}

type Detail = readonly [name: string, value: ComponentChildren];

/** Names and values, which may be stored text. What is false or empty is left out. */
export function Details({ of }: { of: readonly (Detail | false | null | '' | undefined)[] }) {
  return (
    <dl class="pairs">
      {of.map(
        (detail) =>
          detail && (
            <div key={detail[0]}>
              <dt>{detail[0]}</dt>
              <dd dir="auto">{detail[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface FiguresProps {
  label: string;
  /** Titles of the columns. Left out: a table without a head. */
  heads?: readonly string[];
  /** The cells of each row, the first of which names it. */
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
  class?: string;
}

/** A small table of all its rows. */
export function Figures({ label, heads, rows, class: look }: FiguresProps) {
  return (
    <ScrollRegion label={label}>
      <table class={look}>
        {heads && (
          <thead>
            <tr>
              {heads.map((head) =>
                head ? (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ) : (
                  <td key={head} />
                ),
              )}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row" dir="auto">
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={index} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface TileProps {
  name: ComponentChildren;
  /** A number is written as the reader writes numbers; null: not known. */
  value: ComponentChildren;
  note?: ComponentChildren;
  class?: string | undefined;
}

/** A figure of a `dl.tiles`. */
export function Tile({ name, value, note, class: look }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={look}>
        {typeof value === 'number' ? formatNumber(value) : (value ?? '–')}
        {note && <small> {note}</small>}
      </dd>
    </div>
  );
}

interface MomentProps {
  at: string;
  /** How far it is from now. */
  distance?: boolean;
  /** For moments that follow one another closely. */
  seconds?: boolean;
}

/** A moment in the zone of the reader, with UTC in its title. */
export function Moment({ at, distance = false, seconds = false }: MomentProps) {
  return (
    <time dateTime={at} title={distance ? `${formatMoment(at)} · ${utcText(at)}` : utcText(at)}>
      {distance ? formatDistance(at) : formatMoment(at, seconds)}
    </time>
  );
}

/** Not with the other values of the API: the first view needs these alone. */
const bandTexts = catalogue({
  Excellent: ['Excellent', 'Ausgezeichnet'],
  Good: ['Good', 'Gut'],
  Fair: ['Fair', 'Ordentlich'],
  Building: ['Building', 'Im Aufbau'],
  Unproven: ['Unproven', 'Noch unbelegt'],
  'High Risk': ['High Risk', 'Hohes Risiko'],
});
export const bands = Object.keys(bandTexts) as (keyof typeof bandTexts)[];

export function bandText(band: string): string {
  return (bandTexts as Readonly<Record<string, string>>)[band] ?? band;
}

/** A band as a word with its colour beside it: the colour alone says nothing. */
export function Band({ band }: { band: string | null }) {
  if (band === null) return <span class="soft">–</span>;
  return (
    <span class="band" data-band={band}>
      {bandText(band)}
    </span>
  );
}

/** The id of a subject, which leads to its view. */
export function SubjectLink({ id }: { id: string }) {
  return (
    <Link to={pathTo('/subject/{id}', { id })} title={id}>
      <bdi>{id}</bdi>
    </Link>
  );
}

/** What people call a subject, and the id beside it. Null: it has no name. */
export function Who({ id, name }: { id: string; name: string | null }) {
  return (
    <>
      {name !== null && <bdi title={name}>{name}</bdi>}{' '}
      <code class={name === null ? undefined : 'soft'} dir="auto" title={id}>
        {id}
      </code>
    </>
  );
}

interface ChipsProps<Value extends string> {
  label: string;
  options: readonly Value[];
  textOf: (value: Value) => string;
  /** A number beside the text. */
  countOf?: ((value: Value) => string) | undefined;
  /** Null: none is chosen. */
  chosen: Value | null;
  onChoose: (value: Value | null) => void;
}

/** Choices of which one, or none, holds. A second press takes it back. */
export function Chips<Value extends string>(props: ChipsProps<Value>) {
  const { label, options, textOf, countOf, chosen, onChoose } = props;
  return (
    <fieldset class="chips">
      <legend class="hidden">{label}</legend>
      {options.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value === chosen ? null : value)}
        >
          {textOf(value)}
          {countOf && <span class="count">{countOf(value)}</span>}
        </button>
      ))}
    </fieldset>
  );
}

/** What is wider than the screen scrolls by itself, also by keyboard. The label is for screen readers. */
export function ScrollRegion({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
