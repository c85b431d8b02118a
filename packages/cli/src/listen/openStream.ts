import {
  type ClientOptions,
  createClient,
  type Envelope,
  type Reset,
  type StreamOptions,
} from '@reliability/client';

/**
 * The live stream, which says when its connection opens and is lost. The client connects again by
 * itself.
 */
export function openStream(
  client: ClientOptions,
  options: StreamOptions,
  onState: (state: 'open' | 'lost') => void,
): AsyncGenerator<Envelope | Reset, void> {
  let isLost = false;
  const observed: typeof fetch = async (...request) => {
    try {
      const response = await fetch(...request);
      if (response.ok) onState('open');
      isLost = !response.ok;
      return response;
    } catch (error) {
      if (!isLost && !options.signal?.aborted) onState('lost');
      isLost = true;
      throw error;
    }
  };
  return createClient({ ...client, fetch: observed }).stream(options);
}
