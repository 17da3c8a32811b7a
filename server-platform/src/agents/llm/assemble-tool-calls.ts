import type { ToolCall, ToolCallPiece } from './chat-protocol.ts';

type OpenCall = { id: string | null; name: string; arguments: string; extra: unknown };

/** Collects the pieces of the tool calls of one answer. */
export class ToolCallAssembly {
  readonly #step: number;
  readonly #calls: OpenCall[] = [];
  // An answer may contain any number of calls, so they are found by index instead of a search.
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();

  /** `step` distinguishes the answers of a turn. */
  constructor(step = 1) {
    this.#step = step;
  }

  add(piece: ToolCallPiece): void {
    const call = this.#find(piece);
    if (call === undefined) {
      const { id, name, arguments: args, extra } = piece;
      const begun: OpenCall = { id, name: name ?? '', arguments: args, extra };
      this.#calls.push(begun);
      if (piece.index !== null) this.#byIndex.set(piece.index, begun);
      if (id !== null && !this.#byId.has(id)) this.#byId.set(id, begun);
      return;
    }
    call.id ??= piece.id;
    if (call.id !== null && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
    // The name arrives whole, once or with every piece.
    if (call.name === '') call.name = piece.name ?? '';
    call.arguments += piece.arguments;
    call.extra ??= piece.extra;
  }

  /** All calls, in the order in which they began. A call without an id gets one, since its result must name it. */
  complete(): readonly ToolCall[] {
    return this.#calls.map((call, position) => ({
      ...call,
      // Mistral accepts only ids of nine letters and digits.
      id: call.id ?? `call${String(this.#step * 1_000 + position).padStart(5, '0')}`,
    }));
  }

  /** Servers that give no index begin a call with its id and name and continue the latest one without. */
  #find({ index, id, name }: ToolCallPiece): OpenCall | undefined {
    if (index !== null) {
      const call = this.#byIndex.get(index);
      // Some give every call the index 0: another id with a name begins another call.
      const isOther = id !== null && name !== null && call?.id != null && call.id !== id;
      return isOther ? undefined : call;
    }
    const known = id === null ? undefined : this.#byId.get(id);
    return known ?? (name === null ? this.#calls.at(-1) : undefined);
  }
}
