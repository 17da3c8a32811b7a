import type { ToolCall, ToolCallPiece } from './chat-protocol.ts';

/** Collects the pieces of the tool calls of one answer. */
export class ToolCallAssembly {
  readonly #calls: { index: number | null; id: string | null; name: string; arguments: string }[] = [];

  add(piece: ToolCallPiece): void {
    const call = this.#find(piece);
    if (call === undefined) {
      this.#calls.push({
        index: piece.index,
        id: piece.id,
        name: piece.name ?? '',
        arguments: piece.arguments,
      });
      return;
    }
    call.id ??= piece.id;
    // The name comes whole, once or with every piece.
    if (call.name === '') call.name = piece.name ?? '';
    call.arguments += piece.arguments;
  }

  /** All calls, in the order in which they began. A call without an id gets one, since its result must name it. */
  complete(): readonly ToolCall[] {
    return this.#calls.map((call, position) => ({
      id: call.id ?? `call_${position + 1}`,
      name: call.name,
      arguments: call.arguments,
    }));
  }

  /** Servers that give no index begin a call with its id and name and continue the latest one without. */
  #find(piece: ToolCallPiece): { id: string | null; name: string; arguments: string } | undefined {
    if (piece.index !== null) return this.#calls.find((call) => call.index === piece.index);
    if (piece.id !== null) return this.#calls.find((call) => call.id === piece.id);
    return piece.name === null ? this.#calls.at(-1) : undefined;
  }
}
