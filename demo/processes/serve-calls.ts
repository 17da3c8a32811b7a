import { open as openInspector } from 'node:inspector';
import type { ServerCall, ServerMessage } from './server-node.ts';

/** A server that runs in a separate process. */
export interface ServedServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Options of a serving process of the demo. */
export interface ServerProgram<Start, Server extends ServedServer, Command extends string> {
  start(options: Start, onProgress: (line: string) => void): Promise<Server>;
  /** Further commands, by name. */
  readonly commands: Readonly<Record<Command, (server: Server) => Promise<number | null> | number | null>>;
}

/** Options of every server's process. */
export interface InspectedStart {
  /** Where a debugger attaches; null: nowhere. */
  readonly inspectPort: number | null;
}

/** Runs a server in this process as a `ServerNode` asks for it, which started the process. */
export function serveCalls<
  Start extends InspectedStart,
  Server extends ServedServer,
  Command extends string = never,
>(program: ServerProgram<Start, Server, Command>): void {
  let server: Server | null = null;
  const send = (message: ServerMessage): void => void process.send?.(message);

  async function run(call: ServerCall<Start, Command>): Promise<number | string | null> {
    if (call.name === 'load') return null;
    if (call.name === 'close') {
      await server?.close();
      return null;
    }
    if ('options' in call) {
      // Here and not by an option of Node, because the process before this one has the port while this one loads.
      if (call.options.inspectPort !== null) openInspector(call.options.inspectPort, '127.0.0.1');
      server = await program.start(call.options, (progress) => send({ progress }));
      return server.url;
    }
    return server === null ? null : await program.commands[call.name as Command](server);
  }

  process.on('message', (call: ServerCall<Start, Command>) => {
    run(call).then(
      (result) => send({ id: call.id, result }),
      (error: unknown) =>
        send({ id: call.id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  // Ctrl-C reaches every process of a terminal; the demo ends this one in its turn.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  // The demo's own process was killed.
  process.on('disconnect', () => {
    void (server?.close() ?? Promise.resolve()).then(() => process.exit());
  });
}
