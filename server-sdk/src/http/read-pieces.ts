import type { Answer } from './transport.ts';

/**
 * Yields a response body's text in pieces as they arrive. The time limit applies to the silence between two pieces, not
 * to the consumer's time; leaving the loop early closes the connection. @throws NatterError
 */
export async function* readPieces(answer: Answer): AsyncGenerator<string, void, undefined> {
  const { response, deadline } = answer;
  if (response.body === null) {
    deadline.clear();
    return;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      deadline.restart();
      const piece = await reader.read().catch((thrown: unknown) => Promise.reject(answer.toError(thrown)));
      deadline.pause();
      if (piece.done) break;
      yield decoder.decode(piece.value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    deadline.clear();
    // Cancelling an ended or failed body rejects with the failure already reported above.
    await reader.cancel().catch(() => undefined);
  }
}
