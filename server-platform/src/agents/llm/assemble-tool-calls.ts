import type { ToolCall, ToolCallPiece } from './chat-protocol.ts';

type OpenCall = { id: string | null; name: string; arguments: string };

/** Collects the pieces of the tool calls of one answer. */
export class ToolCallAssembly {
  readonly #calls: OpenCall[] = [];
  // An answer may hold as many calls as its writer likes: none is searched for.
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();

  add(piece: ToolCallPiece): void {
    const call = this.#find(piece);
    if (call === undefined) {
      const begun: OpenCall = { id: piece.id, name: piece.name ?? '', arguments: piece.arguments };
      this.#calls.push(begun);
      if (piece.index !== null) this.#byIndex.set(piece.index, begun);
      if (piece.id !== null && !this.#byId.has(piece.id)) this.#byId.set(piece.id, begun);
      return;
    }
    call.id ??= piece.id;
    if (call.id !== null && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
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
  #find(piece: ToolCallPiece): OpenCall | undefined {
    if (piece.index !== null) return this.#byIndex.get(piece.index);
    if (piece.id !== null) return this.#byId.get(piece.id);
    return piece.name === null ? this.#calls.at(-1) : undefined;
  }
}
