import { formatDistance, formatMoment, utcText } from './format.ts';

/** A moment in the zone of the reader, with UTC in its title. */
export function Moment({ at, distance = false }: { at: string; distance?: boolean }) {
  return (
    <time dateTime={at} title={distance ? `${formatMoment(at)} · ${utcText(at)}` : utcText(at)}>
      {distance ? formatDistance(at) : formatMoment(at)}
    </time>
  );
}
