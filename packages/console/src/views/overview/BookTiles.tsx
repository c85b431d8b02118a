import type { AnswerOf } from '../../kit/api.ts';
import { formatChange } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { Band, bands, Moment, Panel, Tile } from '../../kit/parts.tsx';
import { texts } from './texts.ts';

/** Subjects by band, with the net change of the window. */
export function BookTiles({ of }: { of: AnswerOf<'GET /analytics/scores'> }) {
  const { subjects, bands: exact, bandsLastCounted, bandNet } = of;
  const counts = exact ?? bandsLastCounted?.bands;
  return (
    <Panel title={texts.book}>
      <dl class="tiles band-tiles">
        <Tile name={<Link to="/book">{texts.subjects}</Link>} value={subjects} />
        {bands.map((band) => (
          <Tile
            key={band}
            name={
              <Link to={`/book?band=${encodeURIComponent(band)}`}>
                <Band band={band} />
              </Link>
            }
            value={counts ? (counts[band] ?? 0) : null}
            note={formatChange(bandNet[band] ?? 0, 0)}
          />
        ))}
      </dl>
      <p class="soft book-note">
        {texts.changeNote} {!counts && texts.tooLarge}
        {bandsLastCounted && (
          <>
            {texts.countedAt} <Moment at={bandsLastCounted.at} distance />.
          </>
        )}
      </p>
    </Panel>
  );
}
