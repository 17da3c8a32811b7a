import * as v from 'valibot';
import type { OutboundClient } from '../../kit/http/outbound/index.ts';
import { type Embedder, normalize, RefusedTextError } from './embedder.ts';

/** An OpenAI-compatible embeddings endpoint. */
export interface EmbeddingsEndpoint {
  /** Base address of the API (`https://host/v1`) or its embeddings address. */
  readonly url: string;
  readonly model: string;
  /** Sent as bearer token; null for endpoints without one. Never logged, never part of an error. */
  readonly apiKey: string | null;
}

const MAX_TEXTS = 64;
// Well below the limit of 8,191 tokens of common models, in any language.
const MAX_CHARACTERS = 6_000;
// 64 vectors of 4,096 numbers are about 6 MB of JSON.
const LIMITS = { totalTimeoutMs: 30_000, maxBytes: 32 * 1_048_576 } as const;
// Statuses for an unacceptable text; 401, 404, 429 and 5xx concern the endpoint itself.
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

const answerSchema = v.object({
  data: v.array(v.object({ index: v.number(), embedding: v.pipe(v.array(v.number()), v.minLength(1)) })),
});

/** An embedder that calls an endpoint. It sends conversation texts outside the platform. */
export function createHttpEmbedder(endpoint: EmbeddingsEndpoint, client: OutboundClient): Embedder {
  const embed = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += MAX_TEXTS) {
      vectors.push(...(await request(endpoint, client, texts.slice(from, from + MAX_TEXTS), signal)));
    }
    return vectors;
  };
  return {
    name: `http-${endpoint.model}`,
    embedConversations: (texts, signal) =>
      embed(
        texts.map(({ user, agent }) => `${user}\n${agent}`.slice(0, MAX_CHARACTERS)),
        signal,
      ),
    async embedQuery(query, signal) {
      const [vector] = await embed([query], signal);
      if (vector === undefined) throw new Error('The embeddings endpoint answered without a vector.');
      return vector;
    },
  };
}

async function request(
  { url, model, apiKey }: EmbeddingsEndpoint,
  client: OutboundClient,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const answer = await client.send({
    url: embeddingsUrl(url),
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
    },
    // An endpoint may refuse an empty input.
    body: JSON.stringify({ model, input: texts.map((text) => (text.trim() === '' ? '-' : text)) }),
    limits: LIMITS,
    signal,
  });
  if (!answer.isOk) {
    answer.discard();
    const text = `The embeddings endpoint answered ${answer.status}. Check its address, model and key.`;
    throw REFUSALS.has(answer.status) ? new RefusedTextError(text) : new Error(text);
  }
  const parsed = v.safeParse(answerSchema, await answer.json());
  if (!parsed.success || parsed.output.data.length !== texts.length) {
    throw new Error('The embeddings endpoint did not return one vector for each text.');
  }
  const ordered = [...parsed.output.data].sort((a, b) => a.index - b.index);
  return ordered.map(({ embedding }) => normalize(Float32Array.from(embedding)));
}

function embeddingsUrl(url: string): URL {
  const result = new URL(url);
  const path = result.pathname.replace(/(?<!\/)\/+$/, '');
  result.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return result;
}
