import { formatChange, formatNumber } from './format.ts';
import { Band } from './parts.tsx';

interface ScoreStepProps {
  current: { score: number };
  projected: { score: number; band: string };
  delta: { score: number };
}

/** From the published score to a projected one. */
export function ScoreStep({ current, projected, delta }: ScoreStepProps) {
  return (
    <span class="score-step">
      {formatNumber(current.score, 2)} → <strong>{formatNumber(projected.score, 2)}</strong>{' '}
      <span class={delta.score < 0 ? 'bad' : delta.score > 0 ? 'good' : 'soft'}>
        ({formatChange(delta.score)})
      </span>{' '}
      <Band band={projected.band} />
    </span>
  );
}
