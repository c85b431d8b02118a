import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { formatNumber } from './format.ts';
import { onKey } from './keys.ts';
import { kitTexts } from './kitTexts.ts';
import { Moment } from './parts.tsx';
import { Failure, type Pages, Skeleton } from './Query.tsx';

export interface Column<Row> {
  title: string;
  cell?: (row: Row) => ComponentChildren;
  /** In place of a cell: a number, at its end. Null: none. */
  count?: (row: Row) => number | string | null;
  /** In place of a cell: a moment, as far as it is from now. Null: none. */
  since?: (row: Row) => string | null;
  /** A track of CSS grid: `8rem`, `minmax(10rem, 2fr)`. Default: `1fr`. */
  width?: string;
  /** Left out where there is less room: below 640 pixels, or below 1000. */
  hideBelow?: 640 | 1000;
  /** The cell of a stacked row has no title. */
  isPlain?: true;
}

/** What the cell of a column shows. */
function contentOf<Row>({ cell, count, since }: Column<Row>, row: Row): ComponentChildren {
  const number = count?.(row);
  const at = since?.(row);
  if (typeof number === 'number') return formatNumber(number);
  if (at) return <Moment at={at} distance />;
  return cell?.(row) ?? number ?? '–';
}

interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  pages: Pages<Row>;
  keyOf: (row: Row) => string;
  /** Enter or a click. */
  onOpen?: (row: Row) => void;
  /** What to do when the list is empty. */
  empty: ComponentChildren;
  rowHeight?: number;
  /** Height of a row below 640 pixels. Its cells are then below one another, each with its title. */
  stackedHeight?: number;
  /** Most height in pixels; a longer list scrolls. */
  height?: number;
}

/** Rows above and below the visible ones, which a fast hand reaches first. */
const MARGIN_ROWS = 12;
/** Chromium draws no element of more than 33 million pixels, Firefox none of 17 million. */
const MAX_PIXELS = 12_000_000;

/**
 * A list of any length: only the visible rows are in the page, and the next page is asked for before
 * its end. j and k or the arrows move, Enter opens.
 */
export function Table<Row>({
  label,
  columns,
  pages,
  keyOf,
  onOpen,
  empty,
  rowHeight: plainHeight = 44,
  stackedHeight,
  height = 640,
}: TableProps<Row>) {
  const { rows, isLoading, failure, hasMore, more, reload } = pages;
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const current = useSignal(0);
  const [width, measured] = useWidth();
  // The same function each time: a new one would be called again, and the table rendered again.
  const attach = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element;
    measured.value = element;
  }, []);
  const isStacked = stackedHeight !== undefined && width.value > 0 && width.value < 640;
  const rowHeight = isStacked ? stackedHeight : plainHeight;
  const shown = columns.filter(({ hideBelow = 0 }) => width.value === 0 || width.value >= hideBelow);
  const scale = Math.max(1, (rows.length * rowHeight) / MAX_PIXELS);
  const firstVisible = Math.floor((top.value * scale) / rowHeight);
  const from = Math.max(0, firstVisible - MARGIN_ROWS);
  const to = Math.min(rows.length, firstVisible + Math.ceil(height / rowHeight) + MARGIN_ROWS);

  // From anywhere in the view: the next key is the table's own.
  useEffect(() => {
    const focus = () => scroller.current?.focus();
    const removals = [onKey('j', focus), onKey('k', focus)];
    return () => {
      for (const remove of removals) remove();
    };
  }, []);
  useEffect(() => {
    if (hasMore && to >= rows.length - 2 * MARGIN_ROWS) more();
    // Also after a page of which a search shows nothing: the number of rows is the same.
  }, [to, rows.length, hasMore, isLoading]);

  if (failure && rows.length === 0) return <Failure of={failure} height={height / 2} retry={reload} />;
  if (isLoading && rows.length === 0) return <Skeleton height={height / 2} />;
  if (rows.length === 0) return <div class="empty">{empty}</div>;

  const widths = shown.map((column) => column.width ?? 'minmax(0, 1fr)').join(' ');
  const tracks = { gridTemplateColumns: isStacked ? 'minmax(0, 1fr)' : widths };
  const move = (index: number) => {
    current.value = Math.max(0, Math.min(rows.length - 1, index));
    scrollTo(scroller.current, (current.value * rowHeight) / scale, rowHeight);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const step = STEPS[event.key];
    const row = rows[current.value];
    if (step !== undefined)
      move(current.value + step * (Math.abs(step) > 1 ? Math.floor(height / rowHeight) : 1));
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(rows.length - 1);
    else if (event.key === 'Enter' && row && event.target === scroller.current) onOpen?.(row);
    else return;
    event.preventDefault();
  };
  return (
    <div class={`table ${isStacked ? 'is-stacked' : ''} ${isLoading ? 'stale' : ''}`}>
      <div
        ref={attach}
        class="table-scroll"
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-colcount={shown.length}
        tabIndex={0}
        style={{ maxHeight: `${height}px` }}
        onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <div class="table-head" role="row" style={tracks} aria-rowindex={1}>
          {shown.map(({ title, count }) => (
            <span key={title} role="columnheader" class={count && 'end'}>
              {title}
            </span>
          ))}
        </div>
        <div class="table-rows" role="rowgroup" style={{ height: `${(rows.length * rowHeight) / scale}px` }}>
          {rows.slice(from, to).map((row, offset) => {
            const index = from + offset;
            return (
              <div
                key={keyOf(row)}
                role="row"
                aria-rowindex={index + 2}
                class={index === current.value ? 'table-row current' : 'table-row'}
                style={{
                  ...tracks,
                  height: `${rowHeight}px`,
                  transform: `translateY(${(firstVisible * rowHeight) / scale + (index - firstVisible) * rowHeight}px)`,
                }}
                data-opens={onOpen ? '' : undefined}
                onClick={() => {
                  current.value = index;
                  onOpen?.(row);
                }}
              >
                {shown.map((column) => (
                  <span
                    key={column.title}
                    role="cell"
                    class={column.count && !isStacked ? 'end' : ''}
                    dir="auto"
                  >
                    {isStacked && !column.isPlain && <span class="soft">{column.title}: </span>}
                    {contentOf(column, row)}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {failure && <Failure of={failure} retry={reload} />}
      <p class="table-foot soft" aria-live="polite">
        {!hasMore
          ? kitTexts.rows(rows.length)
          : isLoading
            ? kitTexts.loadMore
            : kitTexts.rowsSoFar(rows.length)}
      </p>
    </div>
  );
}

/** A page of rows for the last two. */
const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  PageDown: 2,
  PageUp: -2,
};

function scrollTo(scroller: HTMLElement | null, offset: number, rowHeight: number): void {
  if (!scroller) return;
  const head = rowHeight;
  const visible = scroller.clientHeight - head;
  if (offset < scroller.scrollTop) scroller.scrollTop = offset;
  else if (offset + rowHeight > scroller.scrollTop + visible)
    scroller.scrollTop = offset + rowHeight - visible;
}

/** The width of an element, which may be rendered later. */
function useWidth(): [Signal<number>, Signal<HTMLElement | null>] {
  const width = useSignal(0);
  const element = useSignal<HTMLElement | null>(null);
  useEffect(() => {
    if (!element.value) return;
    const observer = new ResizeObserver(([entry]) => {
      width.value = entry?.contentRect.width ?? 0;
    });
    observer.observe(element.value);
    return () => observer.disconnect();
  }, [element.value]);
  return [width, element];
}
