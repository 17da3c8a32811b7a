import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import { arePlansOld } from '../are-plans-old.ts';
import type { SqlValue } from '../sql.ts';

type Prepared = { readonly name: string; readonly types: readonly number[] };

/**
 * Keeps statements prepared in the engine. PGlite's own `query` parses, describes and plans each call anew, with five
 * calls into the engine instead of one.
 */
export class PreparedStatements {
  readonly #db: PGlite;
  readonly #statements = new Map<string, Prepared>();
  #uses = 0;

  constructor(db: PGlite) {
    this.#db = db;
  }

  /** Runs a statement and keeps it prepared. */
  async query(
    text: string,
    params: readonly SqlValue[],
    rowMode: 'array' | 'object',
  ): Promise<readonly object[]> {
    const statement = await this.#prepare(text);
    const { bind, describe, execute, sync } = protocol.serialize;
    const values = params.map((value, index) => this.#serialize(value, statement.types[index]));
    const { messages } = await this.#db.execProtocol(
      Buffer.concat([
        bind({ statement: statement.name, values }),
        describe({ type: 'P' }),
        execute({}),
        sync(),
      ]),
    );
    const [result] = parse.parseResults(messages, this.#db.parsers, { rowMode });
    return result?.rows ?? [];
  }

  async #prepare(text: string): Promise<Prepared> {
    this.#uses += 1;
    if (arePlansOld(this.#uses)) await this.#db.exec('DISCARD PLANS');
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const { describe, parse: prepare, sync } = protocol.serialize;
    const name = `natter_${this.#statements.size + 1}`;
    const { messages } = await this.#db.execProtocol(
      Buffer.concat([prepare({ name, text }), describe({ type: 'S', name }), sync()]),
    );
    const statement = { name, types: parse.parseDescribeStatementResults(messages) };
    this.#statements.set(text, statement);
    return statement;
  }

  #serialize(value: SqlValue, type: number | undefined): string | null {
    if (value === null) return null;
    const serializer = type === undefined ? undefined : this.#db.serializers[type];
    return serializer === undefined ? String(value) : serializer(value);
  }
}
