import type { AnswerOf } from '../../kit/api.ts';
import { Band, bands } from '../../kit/Band.tsx';
import { formatChange, formatNumber } from '../../kit/format.ts';
import { Link } from '../../kit/Link.tsx';
import { Moment } from '../../kit/Moment.tsx';
import { t } from '../../kit/texts.ts';
import { texts as catalogue } from './texts.ts';

/** Subjects by band, with the net change of the window. */
export function BookTiles({
  of: { subjects, bands: exact, bandsLastCounted, bandNet },
}: {
  of: AnswerOf<'GET /analytics/scores'>;
}) {
  const texts = t(catalogue);
  const counts = exact ?? bandsLastCounted?.bands;
  return (
    <section class="panel">
      <h2>{texts.book}</h2>
      <dl class="tiles">
        <div>
          <dt>
            <Link to="/book">{texts.subjects}</Link>
          </dt>
          <dd>{formatNumber(subjects)}</dd>
        </div>
        {bands.map((band) => (
          <div key={band}>
            <dt>
              <Link to={`/book?band=${encodeURIComponent(band)}`}>
                <Band band={band} />
              </Link>
            </dt>
            <dd>
              {counts ? formatNumber(counts[band] ?? 0) : '–'}{' '}
              <small>{formatChange(bandNet[band] ?? 0, 0)}</small>
            </dd>
          </div>
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
    </section>
  );
}
