import type { Answer } from './transport.ts';

/**
 * The text of an answer's body in the pieces in which it arrives. The time limit counts the silence between two
 * pieces, not the time the consumer takes; leaving the loop early closes the connection. @throws NatterError
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
    // Cancelling a body that has ended or failed rejects with the failure already reported above.
    await reader.cancel().catch(() => undefined);
  }
}
