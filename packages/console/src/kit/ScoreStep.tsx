import { formatChange, formatNumber } from './format.ts';
import { Band } from './parts.tsx';

interface ScoreStepProps {
  /** `blank`: there is no score yet. */
  baseline: 'record' | 'blank';
  current: { score: number };
  projected: { score: number; band: string };
  delta: { score: number };
}

/** From the published score to a projected one. */
export function ScoreStep({ baseline, current, projected, delta }: ScoreStepProps) {
  return (
    <span class="score-step">
      {baseline === 'record' && `${formatNumber(current.score, 2)} → `}
      <strong>{formatNumber(projected.score, 2)}</strong>{' '}
      {baseline === 'record' && (
        <span class={delta.score < 0 ? 'bad' : delta.score > 0 ? 'good' : 'soft'}>
          ({formatChange(delta.score)}){' '}
        </span>
      )}
      <Band band={projected.band} />
    </span>
  );
}
